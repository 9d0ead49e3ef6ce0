import type { SatelliteAppStatus } from './satellite-app.js';

export type Health = NonNullable<SatelliteAppStatus['health']>;

/** Failed checks in a row that make an app degraded. */
export const FAILURES = 3;
/** Good checks in a row that end that. */
export const SUCCESSES = 2;
/** Checks that come nearer to each other than this part of the spacing are one: somebody asked for them. */
const TOO_SOON = 0.9;

/**
 * The health after one more check. It has inertia both ways, so that an app that answers now and then neither leaves
 * nor enters the state with every check; the same health comes back while nothing is counted.
 * @param nowMs time of the check
 * @param spacingMs time between two checks that count
 */
export function nextHealth(before: Health | undefined, well: boolean, nowMs: number, spacingMs: number): Health | undefined {
  const now = new Date(nowMs).toISOString();
  if (!before) return well ? { degraded: false, failures: 0, successes: 0, since: now } : undefined;
  if (before.checkedAt !== undefined && nowMs - Date.parse(before.checkedAt) < spacingMs * TOO_SOON) return before;
  const failures = well ? (before.degraded ? before.failures : 0) : Math.min(before.failures + 1, FAILURES);
  const successes = well && before.degraded ? before.successes + 1 : 0;
  if (successes >= SUCCESSES) return { degraded: false, failures: 0, successes: 0, since: now };
  if (!before.degraded && failures >= FAILURES) return { degraded: true, failures, successes, since: now, checkedAt: now };
  if (failures === before.failures && successes === before.successes) return before;
  return { degraded: before.degraded, failures, successes, since: before.since, ...((failures > 0 || successes > 0) && { checkedAt: now }) };
}

/** Between well and degraded: the next check must not wait for the interval of the object. */
export function isUnsettled({ degraded, failures, successes }: Health): boolean {
  return degraded ? successes > 0 : failures > 0;
}

/** Of an app that once answered and that nobody looks at: three failures make it degraded again. */
export function unknownHealth(before: Health, nowMs: number): Health {
  const isCounting = before.degraded || before.failures > 0 || before.successes > 0;
  return isCounting ? { degraded: false, failures: 0, successes: 0, since: new Date(nowMs).toISOString() } : before;
}
