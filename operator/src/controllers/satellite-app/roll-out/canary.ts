import { isSameFrontEnd, type FrontEnd, type RollOutRules, type RollOutStatus } from './front-end.js';
import { climb } from './ladder.js';

/** How the front-end that the object asks for does: `unknown` when nobody asked it, or when nothing may follow from it. */
export type Verdict = 'good' | 'failing' | 'unknown';

export interface CanaryInput {
  readonly rules: RollOutRules;
  readonly before: RollOutStatus | undefined;
  readonly candidate: FrontEnd;
  readonly verdict: Verdict;
  readonly nowMs: number;
}

export interface CanaryResult {
  /** Undefined: nothing is known that was good for everybody. */
  readonly status?: RollOutStatus;
  /** Time until something is due although nothing changes. */
  readonly restMs?: number;
}

/** What becomes of a new front-end after one look at it. The same input gives the same result, so a lost write is repeated. */
export function nextCanary(input: CanaryInput): CanaryResult {
  const { before, candidate, verdict } = input;
  const stable = before?.stable;
  if (stable?.uiUrl === undefined || candidate.uiUrl === undefined) return { status: verdict === 'good' ? completed(candidate) : before };
  // Going back to what everybody had needs no proof.
  if (isSameFrontEnd(candidate, stable)) return { status: verdict === 'good' || before?.phase !== 'Completed' ? completed(candidate) : before };
  if (isRolledBack(before, candidate)) return { status: before };
  return isStarted(before, candidate) ? goOn(input, before as RollOutStatus) : begin(input, stable);
}

/** It failed, and the object has not changed since. */
export function isRolledBack(before: RollOutStatus | undefined, candidate: FrontEnd): boolean {
  return before?.phase === 'RolledBack' && before.candidate?.generation === candidate.generation && isSameFrontEnd(candidate, before.candidate);
}

/** Some organizations have it. */
export function isStarted(before: RollOutStatus | undefined, candidate: FrontEnd): boolean {
  return before !== undefined && before.phase !== 'RolledBack' && (before.percent ?? 0) > 0 && isSameFrontEnd(candidate, before.candidate);
}

/** Nobody gets it before it was good once. Until then it may have as much time as it wants: its pods may still be starting. */
function begin({ rules, candidate, verdict, nowMs }: CanaryInput, stable: FrontEnd): CanaryResult {
  if (verdict !== 'good') return { status: { phase: 'Paused', percent: 0, stable, candidate: identity(candidate) } };
  const { standing, restMs } = climb(rules.steps, undefined, nowMs);
  return { status: { phase: 'Progressing', ...standing, stable, candidate: identity(candidate) }, restMs };
}

function goOn({ rules, candidate, verdict, nowMs }: CanaryInput, { percent = 0, since, failures = 0, stable }: RollOutStatus): CanaryResult {
  const known = { stable, candidate: identity(candidate) };
  if (verdict === 'failing' && failures + 1 >= rules.failureThreshold) return { status: { phase: 'RolledBack', percent: 0, failures: failures + 1, ...known } };
  if (verdict !== 'good') return { status: { phase: 'Paused', percent, failures: verdict === 'failing' ? failures + 1 : failures || undefined, ...known } };
  const { standing, restMs } = climb(rules.steps, { percent, since }, nowMs);
  return standing ? { status: { phase: 'Progressing', ...standing, ...known }, restMs } : { status: completed(candidate) };
}

function completed(candidate: FrontEnd): RollOutStatus {
  return { phase: 'Completed', stable: candidate };
}

function identity({ uiUrl, version, generation }: FrontEnd): NonNullable<RollOutStatus['candidate']> {
  return { uiUrl, version, generation };
}
