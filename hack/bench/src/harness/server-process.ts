import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@satellite/kit/testing';
import { processEnvironment } from '../env.js';

/** What a process has used so far. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Most memory it ever had. */
  readonly peakMb: number;
}

export interface ServerOptions {
  readonly name: string;
  /** Compiled script; started by the same Node.js. */
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Variable by which the script takes its port. */
  readonly portVariable: string;
  /** Path that answers 200 when it is ready. */
  readonly readyPath: string;
  /** Its output goes into a file here: nobody has to read it while we measure. */
  readonly folder: string;
  readonly nodeFlags?: readonly string[];
}

/** Ticks of utime and stime in /proc; 100 a second on every Linux that Node.js runs on. */
const TICK_MS = 10;
const START_LIMIT_MS = 60_000;

/** A server in a process of its own, whose CPU time and memory are read from outside. */
export class ServerProcess {
  private constructor(
    readonly name: string,
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
  ) {}

  static async start({ name, script, environment, portVariable, readyPath, folder, nodeFlags = [] }: ServerOptions): Promise<ServerProcess> {
    const [port] = await freePorts(1);
    const logFile = join(folder, `${name.replaceAll(/\W+/g, '-')}-${port}.log`);
    const log = openSync(logFile, 'w');
    const { PATH = '', HOME = '' } = processEnvironment();
    const child = spawn(process.execPath, [...nodeFlags, script], { env: { PATH, HOME, NODE_ENV: 'production', ...environment, [portVariable]: String(port) }, stdio: ['ignore', log, log] });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    process.setMaxListeners(process.getMaxListeners() + 1); // each server adds one
    process.once('exit', () => child.kill('SIGKILL'));
    const server = new ServerProcess(name, `http://127.0.0.1:${port}`, child, ended);
    await server.untilReady(readyPath, logFile);
    return server;
  }

  usage(): Usage {
    return usageOf(this.child.pid as number);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }

  private async untilReady(path: string, logFile: string): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      const status = await fetch(this.url + path).then(async (response) => (await response.arrayBuffer(), response.status), () => 0);
      if (status === 200) return;
      if (this.child.exitCode !== null || Date.now() > deadline) throw new Error(`${this.name} did not become ready (status ${status}):\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** What the process of this id has used so far, by /proc. */
export function usageOf(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}
