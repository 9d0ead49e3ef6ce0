import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@satellite/kit/db';
import { RegistryBusy } from './apps.errors.js';
import type { AppsRepository } from './apps.repository.js';
import type { RegistryCache } from './registry-cache.js';

/** A change under the registry lock; it reads before it writes, so it can be done again after a rollback. */
export type RegistryWork<T> = (revision: number) => Promise<T>;

export interface Written<T> {
  readonly result: T;
  /** Highest revision up to which the cache is complete after the write; 0 when the cache is away. */
  readonly cachedRevision: number;
}

interface Waiting {
  readonly work: RegistryWork<unknown>;
  /** Runs something as part of the request that waits: the audit trail says whose. */
  readonly asCaller: <R>(run: () => R) => R;
  readonly resolve: (written: Written<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** The lock is not held for longer by one group. */
const LARGEST_GROUP = 16;
/** Callers have given up long before; what still waits then would only be in the way of those who try again. */
const MOST_WAITING = 1000;
/** A database that has vanished in the middle of a statement says nothing for a quarter of an hour. */
const COMMIT_LIMIT_MS = 30_000;

/**
 * Writes of the registry queue for one lock, and each of them would pay for a transaction, a commit and a round of
 * news. Those that come while others are written share all that: one transaction, each with a number of its own. A
 * group of which one is refused is undone, and everyone in it writes alone.
 */
export class SharedWrites {
  private readonly waiting: Waiting[] = [];
  private writing = false;
  /** Groups belong to no request, and to no transaction that happens to run. */
  private readonly asNobody = AsyncLocalStorage.snapshot();

  constructor(
    private readonly db: Database,
    private readonly apps: Pick<AppsRepository, 'nextRevision'>,
    private readonly cache: Pick<RegistryCache, 'written'>,
  ) {}

  /** Runs `work` under the registry lock with the number of this write, then brings the cache up to date. */
  write<T>(work: RegistryWork<T>): Promise<Written<T>> {
    if (this.waiting.length >= MOST_WAITING) return Promise.reject(new RegistryBusy());
    return new Promise<Written<T>>((resolve, reject) => {
      this.waiting.push({ work, asCaller: AsyncLocalStorage.snapshot(), resolve: resolve as Waiting['resolve'], reject });
      if (!this.writing) void this.asNobody(() => this.writeAll());
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) await this.writeGroup(this.waiting.splice(0, LARGEST_GROUP));
    this.writing = false;
  }

  /** Never throws. */
  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const { results, revision } = await inTime(this.commit(group));
      // the next group need not wait for the cache
      void this.cache.written(revision).then((cachedRevision) => {
        for (const [index, { resolve }] of group.entries()) resolve({ result: results[index], cachedRevision });
      }, (error: unknown) => this.refuse(group, error));
    } catch (error) {
      if (group.length === 1 || error instanceof RegistryBusy) return this.refuse(group, error);
      // one after the other: together they would only hold connections while they wait for the lock
      for (const one of group) await this.writeGroup([one]);
    }
  }

  private commit(group: readonly Waiting[]): Promise<{ results: unknown[]; revision: number }> {
    return this.db.run(async () => {
      const revision = await this.apps.nextRevision(group.length);
      const inTransaction = this.db.carrier();
      const results: unknown[] = [];
      for (const [index, { work, asCaller }] of group.entries()) results.push(await asCaller(() => inTransaction(() => work(revision - group.length + 1 + index))));
      return { results, revision };
    });
  }

  private refuse(group: readonly Waiting[], error: unknown): void {
    for (const { reject } of group) reject(error);
  }
}

/** Whether a commit that came too late was done nobody knows here; done again it changes nothing. */
async function inTime<T>(commit: Promise<T>): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([commit, delay(COMMIT_LIMIT_MS, undefined, { ref: false, signal: late.signal }).then(() => Promise.reject(new RegistryBusy()))]);
  } finally {
    late.abort();
  }
}
