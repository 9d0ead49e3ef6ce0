import { messageOf } from '@satellite/kit/core';
import { systemTimers, type TimerHandle, type Timers } from './timers.js';

/** Closed: calls go through. Open: none does. Half-open: one is tried for all. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** A call that was not made, because those before it failed. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';

  constructor(
    message: string,
    /** Time until a call is tried again. */
    readonly retryMs: number,
  ) {
    super(message);
  }
}

export interface CircuitBreakerOptions {
  /** One harmless call; whether anybody answers it decides for all others. */
  readonly probe: () => Promise<unknown>;
  /** The error says that nobody could have been served now, in contrast to a refusal of this call. */
  readonly isOutage: (error: unknown) => boolean;
  /** So many outages in a row open it. */
  readonly threshold?: number;
  /** It stays open for so long at first, and for twice as long after each time that did not help. */
  readonly baseMs?: number;
  readonly maxMs?: number;
  readonly timers?: Timers;
  readonly random?: () => number;
}

export type BreakerListener = (state: BreakerState, detail: { readonly problem: string; readonly retryMs: number }) => void;

/**
 * Spares a service that is down the calls of everybody who waits for it, and everybody the time until those fail. It
 * asks by itself when the service is back: nobody has to call for that.
 */
export class CircuitBreaker {
  private readonly listeners = new Set<BreakerListener>();
  private readonly timers: Timers;
  private current: BreakerState = 'closed';
  private outages = 0;
  /** Since a call other than the probe was answered: a service that answers only probes is not well. */
  private openings = 0;
  /** Counts every opening ever: calls of an earlier epoch are not heard any more. */
  private epoch = 0;
  private problem = '';
  private retryAt = 0;
  private timer: TimerHandle;
  private stopped = false;

  constructor(private readonly options: CircuitBreakerOptions) {
    this.timers = options.timers ?? systemTimers;
  }

  get state(): BreakerState {
    return this.current;
  }

  /** @param listener called with every change of state */
  subscribe(listener: BreakerListener): void {
    this.listeners.add(listener);
  }

  /** Throws BreakerOpen instead of doing the work while the breaker is not closed. */
  async call<R>(work: () => Promise<R>): Promise<R> {
    this.requireClosed();
    const { epoch } = this;
    try {
      const result = await work();
      this.answered(epoch);
      return result;
    } catch (error) {
      if (!this.options.isOutage(error)) this.answered(epoch);
      // A call that was under way when it opened says nothing new.
      else if (epoch === this.epoch) this.failed(error);
      throw error;
    }
  }

  /** The same for work that says nothing about how others would fare: its failure opens nothing, its success closes nothing. */
  async callUncounted<R>(work: () => Promise<R>): Promise<R> {
    this.requireClosed();
    return work();
  }

  /** No more probes. */
  stop(): void {
    this.stopped = true;
    this.timers.clear(this.timer);
  }

  private requireClosed(): void {
    if (this.current !== 'closed') throw new BreakerOpen(`${this.outages} calls in a row failed, the last one with: ${this.problem}`, Math.max(0, this.retryAt - this.timers.now()));
  }

  private answered(epoch: number): void {
    if (epoch !== this.epoch) return;
    this.outages = 0;
    this.openings = 0;
  }

  private failed(error: unknown): void {
    this.outages += 1;
    this.problem = messageOf(error);
    if (this.current === 'half-open' || this.outages >= (this.options.threshold ?? 5)) this.open();
  }

  private open(): void {
    const { baseMs = 2000, maxMs = 60_000, random = Math.random } = this.options;
    // Never much sooner than said, and not at the same moment as every other operator.
    const delayMs = Math.min(maxMs, baseMs * 2 ** Math.min(this.openings, 20)) * (0.75 + 0.25 * random());
    this.openings += 1;
    this.epoch += 1;
    this.retryAt = this.timers.now() + delayMs;
    this.timers.clear(this.timer);
    if (!this.stopped) this.timer = this.timers.set(() => void this.ask(), delayMs);
    this.enter('open');
  }

  private async ask(): Promise<void> {
    this.enter('half-open');
    try {
      await this.options.probe();
    } catch (error) {
      if (this.options.isOutage(error)) return this.failed(error);
    }
    this.outages = 0;
    this.enter('closed');
  }

  private enter(state: BreakerState): void {
    this.current = state;
    const detail = { problem: this.problem, retryMs: Math.max(0, this.retryAt - this.timers.now()) };
    for (const listener of this.listeners) listener(state, detail);
  }
}
