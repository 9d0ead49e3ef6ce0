import { performance } from 'node:perf_hooks';

export type TimerHandle = unknown;

/** Monotonic time and timers, so that tests can move them. */
export interface Timers {
  /** Milliseconds of a clock that never goes back; no relation to the calendar. */
  now(): number;
  set(run: () => void, delayMs: number): TimerHandle;
  clear(handle: TimerHandle): void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  // setTimeout fires at once for delays beyond 2^31 ms; whoever asks for more is woken early and asks again.
  set: (run, delayMs) => setTimeout(run, Math.min(Math.max(0, delayMs), 2 ** 31 - 1)),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Resolves after the delay, or at once (without an error) when the signal aborts. */
export function pause(delayMs: number, signal: AbortSignal, timers: Timers = systemTimers): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      timers.clear(handle);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const handle = timers.set(finish, delayMs);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** Delay before attempt `failures` + 1: exponential with full jitter, so that many failing at once spread out. */
export function fullJitter(failures: number, baseMs: number, maxMs: number, random: () => number = Math.random): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 40));
}
