import type { Readable } from 'node:stream';
import type { ObjectStore, StoredObject } from '@satellite/kit/storage';
import type { ObjectLedger, StoredBytes } from './object-ledger.js';
import type { Counted, StorageQuota, Storer } from './storage-quota.js';

export interface ObjectsDeps {
  readonly store: ObjectStore;
  readonly ledger: ObjectLedger;
  readonly quota: StorageQuota;
}

/** An upload that takes longer is given up. */
export const UPLOAD_SECONDS = 3600;

/** The life of an object: named, written, counted, kept with its file or abandoned, discarded with its file. */
export class Objects {
  constructor(private readonly deps: ObjectsDeps) {}

  /** A key for a new object; before its first byte is written. */
  begin(organizationId: string): Promise<string> {
    return this.deps.ledger.begin(organizationId);
  }

  /** Throws ObjectTooLarge, StoreFailed, and what the content fails with. */
  write(key: string, content: Readable, maxBytes: number): Promise<StoredObject> {
    return this.deps.store.put(key, content, { maxBytes, signal: AbortSignal.timeout(UPLOAD_SECONDS * 1000) });
  }

  /** Counts its bytes for the organization. Throws StorageFull and what the Shell refuses. */
  count(storer: Storer, key: string, bytes: number): Promise<Counted> {
    return this.deps.quota.take(storer, key, bytes);
  }

  /** In the transaction that adds its file. Throws UploadExpired or StorageFull. */
  async keep({ organizationId, objectKey, size, counted }: StoredBytes): Promise<void> {
    await this.deps.ledger.keep(objectKey);
    if (!counted) await this.deps.quota.assertFree(organizationId, size);
  }

  /** It belongs to no file: it goes, with whatever was counted for it. */
  abandon(key: string): Promise<void> {
    return this.deps.ledger.abandon(key);
  }

  /** In the transaction that deletes its file. */
  discard(file: StoredBytes): Promise<void> {
    return this.deps.ledger.discard(file);
  }

  /** In a transaction that has discarded many by itself. */
  discarded(): void {
    this.deps.ledger.removals.added();
  }
}
