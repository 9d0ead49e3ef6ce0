import { DelayHeap } from './delay-heap.js';
import type { Key } from './objects.js';
import { fullJitter, systemTimers, type TimerHandle, type Timers } from './timers.js';
import type { QueueObserver } from './metrics.js';

/** High: a new or changed object, and its first retry. Low: periodic checks, later retries and the first list. */
export type Priority = 'high' | 'low';

/** Low waits while anything high is there, but not for ever: every so many picks it has its turn. */
const LOW_SHARE = 8;

export interface WorkQueueOptions {
  readonly timers?: Timers;
  readonly random?: () => number;
  /** First retry delay; doubles with every failure of the key. */
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly observer?: QueueObserver;
}

/**
 * Keys to work on. A key is handed to one worker at a time; a key added while it is worked on comes again once, after
 * that; however often it is added before, it is worked on once.
 */
export class WorkQueue {
  private readonly ready: Record<Priority, Set<Key>> = { high: new Set(), low: new Set() };
  private readonly processing = new Set<Key>();
  /** Added while being worked on, with the priority it comes back with. */
  private readonly dirty = new Map<Key, Priority>();
  private readonly delayed = new DelayHeap<Key>();
  private readonly delayedPriority = new Map<Key, Priority>();
  private readonly failures = new Map<Key, number>();
  /** High ones handed out since low ones wait. */
  private passedOver = 0;
  private readonly waiters: ((key: Key | undefined) => void)[] = [];
  private readonly timers: Timers;
  private timer: { readonly handle: TimerHandle; readonly at: number } | undefined;
  private idle: (() => void)[] = [];
  private closed = false;
  /** When something was handed out last, or began to wait for it. */
  private servedAt: number;

  constructor(private readonly options: WorkQueueOptions = {}) {
    this.timers = options.timers ?? systemTimers;
    this.servedAt = this.timers.now();
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.ready.high.size + this.ready.low.size;
  }

  /** How long something has waited without anything being handed out; delays that are over count as waiting. */
  overdueMs(): number {
    const due = Math.min(this.depth > 0 ? this.servedAt : Number.POSITIVE_INFINITY, this.delayed.next() ?? Number.POSITIVE_INFINITY);
    return this.closed ? 0 : Math.max(0, this.timers.now() - due);
  }

  /** Adds a key at once; drops a delay it may be waiting for. */
  add(key: Key, priority: Priority = 'high'): void {
    if (this.closed) return;
    this.cancelDelay(key);
    if (this.processing.has(key)) {
      if (this.dirty.get(key) !== 'high') this.dirty.set(key, priority);
      return;
    }
    if (this.ready.high.has(key)) return;
    if (this.ready.low.has(key)) {
      if (priority === 'low') return;
      this.ready.low.delete(key);
    } else this.options.observer?.added(key);
    if (this.depth === 0) this.servedAt = this.timers.now();
    this.ready[priority].add(key);
    this.handOut();
  }

  /** Adds a key later; of several delays the shortest counts. */
  addAfter(key: Key, delayMs: number, priority: Priority = 'low'): void {
    if (this.closed) return;
    if (delayMs <= 0) return this.add(key, priority);
    this.delayed.schedule(key, this.timers.now() + delayMs);
    if (this.delayedPriority.get(key) !== 'high') this.delayedPriority.set(key, priority);
    this.arm();
  }

  /**
   * Adds a key after a delay that grows with its failures since forget(). A change may have met a moment of trouble, so
   * its first retry is as urgent as itself; what fails on and on must not keep the others waiting.
   */
  addRateLimited(key: Key, maxDelayMs = Number.POSITIVE_INFINITY): void {
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    this.options.observer?.retried(key);
    const { baseDelayMs = 750, maxDelayMs: ceiling = 900_000, random } = this.options;
    this.addAfter(key, fullJitter(failures, baseDelayMs, Math.min(ceiling, maxDelayMs), random), failures === 1 ? 'high' : 'low');
  }

  /** The key is well: its next failure begins with the shortest delay again. */
  forget(key: Key): void {
    this.failures.delete(key);
  }

  failuresOf(key: Key): number {
    return this.failures.get(key) ?? 0;
  }

  /** The next key; undefined once the queue is shut down. Every key got must be given back with done(). */
  get(): Promise<Key | undefined> {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.handOut();
    });
  }

  /** The worker has finished with the key. */
  done(key: Key): void {
    if (!this.processing.delete(key)) return;
    this.options.observer?.finished(key);
    const again = this.dirty.get(key);
    this.dirty.delete(key);
    if (again) this.add(key, again);
    if (this.processing.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Hands out nothing more and adds nothing more; resolves when the last worker is done. */
  async drain(): Promise<void> {
    this.closed = true;
    if (this.timer) this.timers.clear(this.timer.handle);
    for (const resolve of this.waiters.splice(0)) resolve(undefined);
    if (this.processing.size === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private handOut(): void {
    if (this.closed) for (const resolve of this.waiters.splice(0)) resolve(undefined);
    while (this.waiters.length > 0) {
      const key = this.takeReady();
      if (key === undefined) return;
      this.processing.add(key);
      this.servedAt = this.timers.now();
      this.options.observer?.started(key);
      this.waiters.shift()?.(key);
    }
  }

  private takeReady(): Key | undefined {
    const { high, low } = this.ready;
    const lowIsDue = low.size > 0 && (high.size === 0 || this.passedOver >= LOW_SHARE - 1);
    this.passedOver = lowIsDue || low.size === 0 ? 0 : this.passedOver + 1;
    const set = lowIsDue ? low : high;
    const first = set.values().next();
    if (first.done) return undefined;
    set.delete(first.value);
    // This run decides anew when the key comes again, so an older delay has no meaning any more.
    this.cancelDelay(first.value);
    return first.value;
  }

  private cancelDelay(key: Key): void {
    this.delayed.drop(key);
    this.delayedPriority.delete(key);
  }

  private arm(): void {
    const at = this.delayed.next();
    if (at === undefined || (this.timer && this.timer.at <= at)) return;
    if (this.timer) this.timers.clear(this.timer.handle);
    this.timer = { at, handle: this.timers.set(() => this.wake(), at - this.timers.now()) };
  }

  private wake(): void {
    this.timer = undefined;
    const due = this.delayed.takeDue(this.timers.now()).map((key) => ({ key, priority: this.delayedPriority.get(key) }));
    for (const { key, priority } of due) {
      this.delayedPriority.delete(key);
      this.add(key, priority ?? 'low');
    }
    this.arm();
  }
}
