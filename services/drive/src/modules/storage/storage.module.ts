import { DeliveryRunner } from '@satellite/kit/jobs';
import type { Background, Parts } from '../../parts.js';
import { ObjectLedger } from './object-ledger.js';

const PARALLEL = 8;

/** What becomes of objects in one Drive. */
export function buildStorage({ db, store, metrics, logger }: Parts) {
  const ledger = new ObjectLedger(db);
  const removals = new DeliveryRunner({
    name: 'object_removals',
    table: ledger.removals,
    deliver: ({ objectKey, unfinished }) => (unfinished ? store.abandon(objectKey) : store.remove([objectKey])),
    maxAttempts: Infinity, // a store that is away for a week is no reason to leak
    parallel: PARALLEL,
    metrics,
    logger,
  });
  const background: Background[] = [removals];
  return { ledger, background };
}
