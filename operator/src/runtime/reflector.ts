import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { ApiStatusError } from './api-error.js';
import { isNewer, type CustomResource } from './objects.js';
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
  /** @param request.heard called for every piece that arrives, be it a whole event or not */
  watch(request: { readonly resourceVersion: string; readonly timeoutSeconds: number; readonly signal: AbortSignal; readonly heard: () => void }): AsyncIterable<WatchEvent<T>>;
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
  /** A new list although every watch went well: what was missed, for whatever reason, is not missed for longer. */
  readonly relistMs?: number;
}

/** A watch that ends sooner than this without any event counts as failed, so that it is not opened in a tight loop. */
const SHORT_WATCH_MS = 1000;
/** After so many failed watches in a row a list is tried: perhaps it is the version that is not served any more. */
const WATCHES_BEFORE_LIST = 3;
/** Nobody is obeyed who asks to wait for longer. */
const WAIT_LIMIT_MS = 60_000;
/** A page of a list, a pause and an open watch end by themselves within their limits and this. */
const STUCK_MARGIN_MS = 90_000;

/** News older than what was told before: the stream breaks its promise, so it may also have swallowed something. */
class OutOfOrder extends Error {}

/**
 * Mirrors a collection into a store: pages of a list, then a watch from there, for ever. Whatever goes wrong, it goes on:
 * from the last version seen, or from a new list when that version is too old or the stream cannot be trusted.
 */
export class Reflector<T extends CustomResource> {
  private readonly stopping = new AbortController();
  private readonly timers: Timers;
  private resourceVersion: string | undefined;
  private synced = false;
  private failures = 0;
  private seenAt: number;
  /** Undefined while the loop does not run. */
  private movedAt: number | undefined;
  private listedAt = 0;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: ReflectorOptions<T>) {
    this.timers = options.timers ?? systemTimers;
    this.seenAt = this.timers.now();
  }

  start(): void {
    this.loop = this.run().finally(() => (this.movedAt = undefined));
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

  /**
   * What is wrong when only a new process can help: the loop itself hangs. That the API server is away is no reason,
   * since the loop goes on trying, and so is no watch that went silent, since the loop opens another one.
   */
  unhealthy(): string | undefined {
    const stuckMs = this.timers.now() - (this.movedAt ?? this.timers.now());
    return stuckMs > this.silenceLimitMs + STUCK_MARGIN_MS ? `the watch hangs: its loop has not moved for ${Math.round(stuckMs / 1000)} s` : undefined;
  }

  private get silenceLimitMs(): number {
    return this.options.silenceLimitMs ?? 90_000;
  }

  private moved(): void {
    this.movedAt = this.timers.now();
  }

  private heard(): void {
    this.seenAt = this.movedAt = this.timers.now();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.moved();
      try {
        if (this.resourceVersion === undefined) await this.relist(signal);
        await this.watchOnce(signal);
      } catch (error) {
        if (!signal.aborted) await this.recover(error);
      }
    }
  }

  private async relist(signal: AbortSignal): Promise<void> {
    const { store } = this.options;
    const items: T[] = [];
    store.beginList();
    let page: ListPage<T> | undefined;
    do {
      page = await this.options.source.list({ limit: this.options.pageSize ?? 500, continueToken: page?.continueToken, signal });
      items.push(...page.items.map((item) => store.held(item)));
      this.heard();
    } while (page.continueToken);
    store.replace(items, page.resourceVersion);
    this.resourceVersion = page.resourceVersion;
    this.listedAt = this.timers.now();
    if (!this.synced) {
      this.synced = true;
      this.options.onSynced?.();
    }
  }

  private async watchOnce(outer: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const guard = new SilenceGuard(this.timers, this.silenceLimitMs, () => silence.abort(new Error('nothing arrived on the watch for too long')));
    const openedAt = this.timers.now();
    const heard = (): void => {
      guard.heard();
      this.heard();
    };
    let events = 0;
    try {
      const random = this.options.random ?? Math.random;
      const request = { resourceVersion: this.resourceVersion as string, timeoutSeconds: 300 + Math.floor(random() * 300), signal: AbortSignal.any([outer, silence.signal]), heard };
      for await (const event of this.options.source.watch(request)) {
        heard();
        events += 1;
        this.apply(event);
      }
    } finally {
      guard.stop();
    }
    silence.signal.throwIfAborted();
    if (events === 0 && this.timers.now() - openedAt < SHORT_WATCH_MS) throw new Error('the watch ended at once');
    if (this.timers.now() - this.listedAt > (this.options.relistMs ?? 1_800_000)) this.resourceVersion = undefined;
  }

  private apply({ type, object }: WatchEvent<T>): void {
    if (type === 'ERROR') throw ApiStatusError.fromStatus(object);
    if (type === 'DELETED') this.options.store.deleted(object);
    else if (type !== 'BOOKMARK') this.options.store.put(object);
    const seen = { resourceVersion: this.resourceVersion as string };
    if (isNewer(seen, object.metadata)) throw new OutOfOrder(`version ${object.metadata.resourceVersion} came after ${seen.resourceVersion}`);
    this.failures = 0;
    this.resourceVersion = object.metadata.resourceVersion;
  }

  private async recover(error: unknown): Promise<void> {
    this.failures += 1;
    const status = error instanceof ApiStatusError ? error : undefined;
    if (status?.isExpired() || error instanceof OutOfOrder || this.failures % WATCHES_BEFORE_LIST === 0) this.resourceVersion = undefined;
    const delayMs = this.delayAfter(status);
    const level = status?.isRefusal() ? 'warn' : 'info';
    this.options.logger[level]({ detail: messageOf(error), failures: this.failures, delayMs: Math.round(delayMs) }, this.resourceVersion === undefined ? 'listing again' : 'watch interrupted: opening again');
    await pause(delayMs, this.stopping.signal, this.timers);
  }

  /** What the API server asks for; at once for the first expired version; else growing with every failure in a row. */
  private delayAfter(status: ApiStatusError | undefined): number {
    const random = this.options.random ?? Math.random;
    if (status?.retryAfterMs !== undefined) return Math.min(status.retryAfterMs, WAIT_LIMIT_MS) * (1 + 0.2 * random());
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
