import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLeftovers } from '@satellite/kit/embedded';
import { freePort, Run } from './run.js';

/** For what starts a platform. */
export const LONG = 120_000;

/** Runs of the platform on one data folder of their own. */
export class Runs {
  private readonly runs: Run[] = [];

  private constructor(readonly folder: string) {}

  static async make(): Promise<Runs> {
    return new Runs(await mkdtemp(join(tmpdir(), 'satellite-standalone-')));
  }

  async start(env: Record<string, string> = {}, port?: number): Promise<Run> {
    const run = new Run(this.folder, port ?? (await freePort()), env);
    this.runs.push(run);
    return run;
  }

  async startReady(): Promise<Run> {
    const run = await (await this.start()).says('Ctrl-C stops everything');
    await run.lists(['drive', 'hello', 'status-board']);
    return run;
  }

  async end(): Promise<void> {
    for (const run of this.runs.splice(0)) {
      run.child.kill('SIGKILL');
      await run.ended;
    }
    await stopLeftovers(join(this.folder, 'postgres', 'data'));
    await rm(this.folder, { recursive: true, force: true });
  }
}
