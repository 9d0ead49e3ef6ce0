import { JobIsRunning } from '@satellite/kit/jobs';
import { eventually } from '@satellite/kit/testing';
import type { TestShell } from './shell.js';

/** Runs a scheduled job now, after the run that its schedule may just have begun. */
export async function runJob(shell: TestShell, name: string): Promise<void> {
  await eventually(
    () =>
      shell.shell.container.scheduler.run(name).then(
        () => true,
        (error: unknown) => {
          if (error instanceof JobIsRunning) return false;
          throw error;
        },
      ),
    30_000,
    `${name} having its turn`,
  );
}
