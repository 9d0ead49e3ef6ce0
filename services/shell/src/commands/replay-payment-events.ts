import { messageOf } from '@satellite/kit/core';
import { processEnvironment } from '../env.js';
import { PaymentEventsRepository } from '../modules/subscriptions/index.js';
import { openDatabase } from '../shell.js';

/** Lists the payment events that were given up, and lets them (or the one that is named) take effect again; a running Shell sees to it within seconds. */
async function main([id]: readonly string[]): Promise<void> {
  const url = processEnvironment()['DATABASE_URL'];
  if (url === undefined) throw new Error('Set DATABASE_URL to the Shell\'s database.');
  const db = openDatabase(url);
  try {
    const events = new PaymentEventsRepository(db);
    for (const { id: dead, type, error } of await events.dead()) process.stdout.write(`given up: ${dead} ${type}: ${error ?? ''}\n`);
    const replayed = await events.replay(id);
    process.stdout.write(replayed.length === 0 ? 'There was nothing to replay.\n' : `to be replayed: ${replayed.join(', ')}\n`);
  } finally {
    await db.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
