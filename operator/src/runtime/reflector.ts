import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { ApiStatusError } from './api-error.js';
import { keyOf, type CustomResource } from './objects.js';
import type { ObjectStore } from './store.js';
import { fullJitter, pause, systemTimers, type Timers } from './timers.js';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** One collection of an API server. */
export interface ListWatch<T> {
  list(request: { readonly limit: number; readonly continueToken?: string; readonly signal: AbortSignal }): Promise<ListPage<T>>;
  watch(request: { readonly resourceVersion: string; readonly timeoutSeconds: number; readonly signal: AbortSignal }): AsyncIterable<WatchEvent<T>>;
}

export interface ReflectorOptions<T extends CustomResource> {
  readonly source: ListWatch<T>;
  readonly store: ObjectStore<T>;
  readonly logger: Logger;
  /** Called when the store holds a complete list for the first time. */
  readonly onSynced?: () => void;
  readonly timers?: Timers;
  readonly random?: () => number;
  readonly pageSize?: number;
  /** A watch on which nothing arrives for so long (bookmarks come every minute) is taken for dead and opened again. */
  readonly silenceLimitMs?: number;
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
}

/** A watch that ends sooner than this without any event counts as failed, so that it is not opened in a tight loop. */
const SHORT_WATCH_MS = 1000;

/**
 * Mirrors a collection into a store: pages of a list, then a watch from there, for ever. Whatever goes wrong, it goes on:
 * from the last version seen, or from a new list when that version is too old.
 */
export class Reflector<T extends CustomResource> {
  private readonly stopping = new AbortController();
  private readonly timers: Timers;
  private resourceVersion: string | undefined;
  private synced = false;
  private failures = 0;
  private seenAt: number;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: ReflectorOptions<T>) {
    this.timers = options.timers ?? systemTimers;
    this.seenAt = this.timers.now();
  }

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  /** The store has held a complete list once. */
  hasSynced(): boolean {
    return this.synced;
  }

  /** Time since anything was heard from the API server. */
  silentMs(): number {
    return this.timers.now() - this.seenAt;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (this.resourceVersion === undefined) await this.relist(signal);
        await this.watchOnce(signal);
      } catch (error) {
        if (!signal.aborted) await this.recover(error);
      }
    }
  }

  private async relist(signal: AbortSignal): Promise<void> {
    const items: T[] = [];
    let page: ListPage<T> | undefined;
    do {
      page = await this.options.source.list({ limit: this.options.pageSize ?? 500, continueToken: page?.continueToken, signal });
      items.push(...page.items);
      this.seenAt = this.timers.now();
    } while (page.continueToken);
    this.options.store.replace(items);
    this.resourceVersion = page.resourceVersion;
    if (!this.synced) {
      this.synced = true;
      this.options.onSynced?.();
    }
  }

  private async watchOnce(outer: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const guard = new SilenceGuard(this.timers, this.options.silenceLimitMs ?? 90_000, () => silence.abort(new Error('nothing arrived on the watch for too long')));
    const openedAt = this.timers.now();
    let events = 0;
    try {
      const random = this.options.random ?? Math.random;
      const request = { resourceVersion: this.resourceVersion as string, timeoutSeconds: 300 + Math.floor(random() * 300), signal: AbortSignal.any([outer, silence.signal]) };
      for await (const event of this.options.source.watch(request)) {
        guard.heard();
        events += 1;
        this.apply(event);
      }
    } finally {
      guard.stop();
    }
    silence.signal.throwIfAborted();
    if (events === 0 && this.timers.now() - openedAt < SHORT_WATCH_MS) throw new Error('the watch ended at once');
  }

  private apply({ type, object }: WatchEvent<T>): void {
    this.seenAt = this.timers.now();
    if (type === 'ERROR') throw ApiStatusError.fromStatus(object);
    this.failures = 0;
    this.resourceVersion = object.metadata.resourceVersion;
    if (type === 'DELETED') this.options.store.remove(keyOf(object));
    else if (type !== 'BOOKMARK') this.options.store.put(object);
  }

  private async recover(error: unknown): Promise<void> {
    this.failures += 1;
    const status = error instanceof ApiStatusError ? error : undefined;
    if (status?.isExpired()) this.resourceVersion = undefined;
    const delayMs = this.delayAfter(status);
    this.options.logger.info({ detail: messageOf(error), failures: this.failures, delayMs: Math.round(delayMs) }, status?.isExpired() ? 'watch is too old: listing again' : 'watch interrupted: opening again');
    await pause(delayMs, this.stopping.signal, this.timers);
  }

  /** What the API server asks for; at once for the first expired version; else growing with every failure in a row. */
  private delayAfter(status: ApiStatusError | undefined): number {
    const random = this.options.random ?? Math.random;
    if (status?.retryAfterMs !== undefined) return status.retryAfterMs * (1 + 0.2 * random());
    if (status?.isExpired() && this.failures === 1) return 0;
    const { baseMs, maxMs } = this.options.backoff ?? { baseMs: 200, maxMs: 5000 };
    return fullJitter(this.failures, baseMs, maxMs, random);
  }
}

/** Calls back once when heard() was not called for the limit. One timer for the whole watch, not one for each event. */
class SilenceGuard {
  private lastHeard: number;
  private handle: unknown;

  constructor(
    private readonly timers: Timers,
    private readonly limitMs: number,
    private readonly silent: () => void,
  ) {
    this.lastHeard = timers.now();
    this.handle = timers.set(() => this.check(), limitMs);
  }

  heard(): void {
    this.lastHeard = this.timers.now();
  }

  stop(): void {
    this.timers.clear(this.handle);
  }

  private check(): void {
    const left = this.lastHeard + this.limitMs - this.timers.now();
    if (left <= 0) this.silent();
    else this.handle = this.timers.set(() => this.check(), left);
  }
}
