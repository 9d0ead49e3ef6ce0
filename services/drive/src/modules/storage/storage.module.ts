import { DeliveryRunner, type Job } from '@satellite/kit/jobs';
import type { ObjectStore } from '@satellite/kit/storage';
import type { Background, Parts } from '../../parts.js';
import { ObjectLedger, type Removal } from './object-ledger.js';
import { Objects, UPLOAD_SECONDS } from './objects.js';
import { ObjectScan } from './object-scan.js';
import { StorageQuota } from './storage-quota.js';

const PARALLEL = 8;
/** An upload that is older has no process any more. */
const ABANDONED_SECONDS = 2 * UPLOAD_SECONDS;

/** What becomes of objects in one Drive. */
export function buildStorage({ db, store, shell, config, metrics, logger }: Parts) {
  const ledger = new ObjectLedger(db);
  const quota = new StorageQuota({ db, permissions: shell.permissions, slug: config.shell.slug, freeBytes: config.storage.freeBytes });
  const removals = new DeliveryRunner({
    name: 'object_removals',
    table: ledger.removals,
    deliver: (removal) => remove(removal, store, quota),
    maxAttempts: Infinity, // a store that is away for a week is no reason to leak
    parallel: PARALLEL,
    metrics,
    logger,
  });
  const scan = new ObjectScan({ db, store, ledger, metrics, logger });
  const jobs: Job[] = [
    { name: 'uploads.expire', schedule: '*/10 * * * *', run: async () => (await ledger.expire(ABANDONED_SECONDS)) + (await store.sweep(new Date(Date.now() - ABANDONED_SECONDS * 1000))) },
    { name: 'objects.scan', schedule: '17 3 * * *', run: ({ signal }) => scan.run(signal) },
    { name: 'objects.forget', schedule: '23 * * * *', run: () => ledger.forget() },
  ];
  const background: Background[] = [removals];
  return { objects: new Objects({ store, ledger, quota }), scan, jobs, background };
}

/** Removes an object and gives back what was counted for it; each step may be repeated. */
async function remove({ organizationId, objectKey, kind, countedBytes, countedUntil }: Removal, store: ObjectStore, quota: StorageQuota): Promise<void> {
  if (kind === 'upload') {
    await store.abandon(objectKey);
    await quota.takeBack(organizationId, objectKey);
    return;
  }
  await store.remove([objectKey]);
  const bytes = Number(countedBytes);
  if (bytes > 0) await quota.giveBack(organizationId, objectKey, bytes, countedUntil);
}
