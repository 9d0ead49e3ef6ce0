import { messageOf } from '@satellite/kit/core';
import { processEnvironment, readConfig } from '../env.js';
import { connectShell } from '../shell.js';

/** Runs one scheduled job now, beside Shells that run; without a name it lists them. */
async function main([name]: readonly string[]): Promise<void> {
  const { container, disconnect } = await connectShell(readConfig(processEnvironment()));
  const { scheduler } = container;
  try {
    if (name === undefined) return void process.stdout.write(`${scheduler.names.join('\n')}\n`);
    process.stdout.write(`${name}: ${await scheduler.run(name)} rows\n`);
  } finally {
    await disconnect();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
