import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 10;

/** Looks until `check` is true; throws after `withinMs`. Between looks the event loop turns, so timers of the same process run. */
export async function eventually(check: () => Promise<boolean> | boolean, withinMs: number, what = 'it'): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`${what} did not become so within ${withinMs} ms`);
    await delay(STEP_MS);
  }
}
