import { durationMs } from '../satellite-app.js';

/** One step of a growing share: this percent, until all was well for the soak. */
export interface Rung {
  readonly percent: number;
  /** Duration such as 10m. */
  readonly soak: string;
}

/** Where a growing share stands. */
export interface Standing {
  readonly percent: number;
  /** ISO time since which it has stood there and all has been well; absent: nothing is counted. */
  readonly since?: string;
}

export interface Climb {
  /** Undefined: beyond the last rung. */
  readonly standing?: Standing;
  /** Time to the next rung if all stays well. */
  readonly restMs?: number;
}

/**
 * One look at a share while all is well: it begins at the first rung, and goes at most one rung on, when the soak is
 * over. Never down: a list that was changed meanwhile is entered above where the share stands.
 */
export function climb(rungs: readonly Rung[], before: Standing | undefined, nowMs: number): Climb {
  if (before === undefined) return arrive(rungs[0], nowMs);
  const soakMs = durationMs(rungs.findLast(({ percent }) => percent <= before.percent)?.soak ?? '0s');
  if (before.since === undefined) return { standing: { percent: before.percent, since: new Date(nowMs).toISOString() }, restMs: soakMs };
  // A clock that was set back must not hold the share for longer than one soak.
  const restMs = Math.min(soakMs, Date.parse(before.since) + soakMs - nowMs);
  if (restMs > 0) return { standing: before, restMs };
  return arrive(rungs.find(({ percent }) => percent > before.percent), nowMs);
}

function arrive(rung: Rung | undefined, nowMs: number): Climb {
  return rung ? { standing: { percent: rung.percent, since: new Date(nowMs).toISOString() }, restMs: durationMs(rung.soak) } : {};
}
