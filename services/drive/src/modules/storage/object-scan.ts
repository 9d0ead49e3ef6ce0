import { messageOf } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { ObjectInfo, ObjectStore } from '@satellite/kit/storage';
import { Counter, Gauge, type Logger, type Registry } from '@satellite/kit/telemetry';
import type { ObjectLedger } from './object-ledger.js';

export interface ObjectScanDeps {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly ledger: ObjectLedger;
  readonly metrics: Registry;
  readonly logger: Logger;
}

const BATCH = 500;
/** Objects that are younger may be of an upload that our look at the database came too early for. */
const GRACE_MS = 3_600_000;

/**
 * Compares the store with the database, both ways: objects that nobody knows are removed, files whose object is gone
 * are reported, since nobody but an administrator with a backup can help them. What the store has is put into a table
 * meanwhile, so that memory stays bounded.
 */
export class ObjectScan {
  private readonly orphans: Counter;
  private readonly missing: Gauge;

  constructor(private readonly deps: ObjectScanDeps) {
    const registers = [deps.metrics];
    this.orphans = new Counter({ name: 'drive_orphan_objects_total', help: 'Objects in the store that no file and no upload knew', registers });
    this.missing = new Gauge({ name: 'drive_missing_objects', help: 'Files whose object the last scan did not find', registers });
  }

  /** Answers how many objects it removed. */
  async run(signal: AbortSignal, graceMs = GRACE_MS): Promise<number> {
    const { db, logger } = this.deps;
    const [start] = await db.query<{ at: string }>('select clock_timestamp() as at');
    await db.query('truncate scanned_objects');
    let removed = 0;
    for await (const batch of batches(this.deps.store.list(), BATCH)) {
      signal.throwIfAborted();
      removed += await this.compare(batch, Date.now() - graceMs);
    }
    const missing = await this.findMissing(start?.at ?? '', signal);
    this.orphans.inc(removed);
    this.missing.set(missing);
    await db.query('truncate scanned_objects');
    logger.info({ removed, missing }, 'the object store was compared with the files');
    return removed;
  }

  private async compare(batch: readonly ObjectInfo[], before: number): Promise<number> {
    const { db, store, ledger } = this.deps;
    await db.query('insert into scanned_objects (object_key) select * from unnest(?::text[]) on conflict do nothing', [batch.map(({ key }) => key)]);
    const unknown = await ledger.unknown(batch.filter(({ modifiedAt }) => modifiedAt.getTime() <= before).map(({ key }) => key));
    await store.remove(unknown);
    return unknown.length;
  }

  /** Files of before the scan that it has not met; asked for one by one, since a listing may be older than it looks. */
  private async findMissing(start: string, signal: AbortSignal): Promise<number> {
    const { db, store, logger } = this.deps;
    let found = 0;
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string; organizationId: string; key: string }>(
        `select id, organization_id as "organizationId", object_key as key from files f where object_key > ? and created_at < ? and not exists (select from scanned_objects s where s.object_key = f.object_key) order by object_key limit ?`,
        [after, start, BATCH],
      );
      for (const { id, organizationId, key } of rows) {
        signal.throwIfAborted();
        const there = await store.stat(key).catch((error: unknown) => Promise.reject(new Error(`the store cannot be asked about an object: ${messageOf(error)}`, { cause: error })));
        if (there !== undefined) continue;
        logger.error({ fileId: id, organizationId, objectKey: key }, 'the object of a file is gone; restore it from a backup of the store');
        found += 1;
      }
      const last = rows.at(-1);
      if (last === undefined) return found;
      after = last.key;
    }
  }
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
