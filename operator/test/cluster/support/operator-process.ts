import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { until } from '../../support/until.js';

/** One line of the operator's log. */
export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const FROM_SOURCE = ['--conditions=development', '--import', 'tsx', join(ROOT, 'operator/src/main.ts')];

/** A real operator process: started from source unless told otherwise, killed like a pod. */
export class OperatorProcess {
  readonly log: LogLine[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;
  private text = '';

  private constructor(environment: Readonly<Record<string, string>>, program: readonly string[]) {
    this.child = spawn(process.execPath, program, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], OPERATOR_HEALTH_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
    this.child.stdout?.on('data', (chunk: Buffer) => this.read(chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static start(environment: Readonly<Record<string, string>>, program: readonly string[] = FROM_SOURCE): OperatorProcess {
    return new OperatorProcess(environment, program);
  }

  /** Resolves when the operator works (leads and knows every object). */
  async works(limitMs = 60_000): Promise<void> {
    await this.logged('operator works', limitMs);
  }

  async logged(message: string, limitMs = 60_000): Promise<LogLine> {
    const line = await until(() => this.find(message), (found) => found !== undefined || this.child.exitCode !== null, { limitMs, what: `the operator logs "${message}"` });
    if (!line) throw new Error(`the operator ended with ${this.child.exitCode}:\n${this.text}\n${this.log.map((entry) => JSON.stringify(entry)).join('\n')}`);
    return line;
  }

  find(message: string): LogLine | undefined {
    return this.log.find(({ msg }) => msg === message);
  }

  /** Address of /livez, /readyz and /metrics. */
  async healthUrl(): Promise<string> {
    const { port } = await this.logged('health and metrics are served');
    return `http://127.0.0.1:${String(port)}`;
  }

  /** Ends the process; resolves with its exit code when it is gone. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }

  private read(text: string): void {
    const lines = (this.pending + text).split('\n');
    this.pending = lines.pop() ?? '';
    for (const line of lines) this.log.push(JSON.parse(line) as LogLine);
  }

  private pending = '';
}
