import { BreakerOpen, type CircuitBreaker } from './circuit-breaker.js';
import { Waiting } from './errors.js';
import type { Key } from './objects.js';
import type { WorkQueue } from './workqueue.js';

export interface WaitingRoomOptions {
  readonly queue: WorkQueue;
  readonly breaker: CircuitBreaker;
  /** Reason of the Waiting that brings a key here. */
  readonly reason: string;
  readonly random?: () => number;
}

/** So much time for each key when all of them are let go: 200 a second. */
const DISTANCE_MS = 5;
const SPREAD_LIMIT_MS = 60_000;

/** Keys that wait for the service behind a breaker: they come again when it is back, whatever delay they had, and not all at once. */
export class WaitingRoom {
  private readonly keys = new Set<Key>();

  constructor(private readonly options: WaitingRoomOptions) {
    options.breaker.subscribe((state) => {
      if (state === 'closed') this.letGo();
    });
  }

  /** Does the work of a key and takes note of what it waits for. */
  async watch<R>(key: Key, work: () => Promise<R>): Promise<R> {
    this.keys.delete(key);
    try {
      return await work();
    } catch (error) {
      if (error instanceof Waiting && error.reason === this.options.reason) this.take(key, error);
      throw error;
    }
  }

  private take(key: Key, { cause }: Waiting): void {
    // It may have closed since the call was not made: then nobody would fetch the key.
    if (cause instanceof BreakerOpen && this.options.breaker.state === 'closed') this.options.queue.addAfter(key, this.random() * 1000, 'high');
    else this.keys.add(key);
  }

  private letGo(): void {
    const spreadMs = Math.min(SPREAD_LIMIT_MS, this.keys.size * DISTANCE_MS);
    for (const key of this.keys) this.options.queue.addAfter(key, this.random() * spreadMs, 'high');
    this.keys.clear();
  }

  private random(): number {
    return (this.options.random ?? Math.random)();
  }
}
