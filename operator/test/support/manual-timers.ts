import type { Timers } from '../../src/runtime/timers.js';

interface Pending {
  readonly at: number;
  readonly run: () => void;
}

/** Time that stands still until a test moves it. */
export class ManualTimers implements Timers {
  private time = 0;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;

  now(): number {
    return this.time;
  }

  set(run: () => void, delayMs: number): number {
    const id = this.nextId++;
    this.pending.set(id, { at: this.time + Math.max(0, delayMs), run });
    return id;
  }

  clear(handle: unknown): void {
    this.pending.delete(handle as number);
  }

  /** From now on time passes and nothing happens. */
  stopFiring(): void {
    this.pending.clear();
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.pending.size;
  }

  /** Moves on, running everything that becomes due in its order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (let due = this.firstUntil(end); due; due = this.firstUntil(end)) {
      const [id, { at, run }] = due;
      this.pending.delete(id);
      this.time = at;
      run();
      await settle();
    }
    this.time = end;
  }

  private firstUntil(end: number): [number, Pending] | undefined {
    return [...this.pending].filter(([, { at }]) => at <= end).sort(([a, x], [b, y]) => x.at - y.at || a - b)[0];
  }
}

/** Lets everything that is only waiting for promises go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
