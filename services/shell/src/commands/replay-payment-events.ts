import { messageOf } from '@satellite/kit/core';
import { processEnvironment, readConfig } from '../env.js';
import { replayPaymentEvents } from '../modules/subscriptions/index.js';
import { connectShell } from '../shell.js';

/** Lists the payment events that were given up, and lets them (or the one that is named) take effect again; a running Shell sees to it within seconds. */
async function main([id]: readonly string[]): Promise<void> {
  const { container, disconnect } = await connectShell(readConfig(processEnvironment()));
  try {
    const { dead, replayed } = await replayPaymentEvents(container, id);
    for (const { id: given, type, error } of dead) process.stdout.write(`given up: ${given} ${type}: ${error ?? ''}\n`);
    process.stdout.write(replayed.length === 0 ? 'There was nothing to replay.\n' : `to be replayed: ${replayed.join(', ')}\n`);
  } finally {
    await disconnect();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
