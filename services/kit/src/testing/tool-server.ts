import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './cluster.js';
import { eventually } from './eventually.js';

const START_LIMIT_MS = 60_000;

/** A server program that `make tools` built, running on a free port of the loopback interface. */
export interface ToolServer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Ends the program; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a program of `.tools/bin`.
 * @param args its arguments for the port it shall listen on
 * @param readyPath a path that answers below 500 as soon as the program is ready
 * @throws Error when the program is missing, ends at once, or is not ready in a minute; with what it printed
 */
export async function startTool(name: string, args: (port: number) => readonly string[], { env = {}, readyPath }: { readonly env?: Readonly<Record<string, string>>; readonly readyPath: string }): Promise<ToolServer> {
  const program = join(process.env['SATELLITE_TOOLS'] ?? '.tools/bin', name);
  if (!existsSync(program)) throw new Error(`${program} is missing: run make tools.`);
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, args(port), { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const abandon = (): void => void child.kill('SIGKILL');
  process.once('exit', abandon);
  const stop = async (): Promise<void> => {
    process.off('exit', abandon);
    child.kill('SIGKILL');
    await ended;
  };
  // Only a program that is still there is asked, so that one that ended is told apart at once.
  const answers = async (): Promise<boolean> => child.exitCode !== null || (await fetch(url + readyPath).then(({ status }) => status < 500, () => false));
  try {
    await eventually(answers, START_LIMIT_MS, name);
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start. It printed:\n${printed}`, { cause: error });
  }
  return { url, stop };
}
