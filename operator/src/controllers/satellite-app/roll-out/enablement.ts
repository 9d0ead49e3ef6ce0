import type { EnablementStatus } from './front-end.js';
import { climb, type Rung } from './ladder.js';

export interface EnablementInput {
  readonly waves: readonly Rung[];
  readonly before: EnablementStatus | undefined;
  readonly good: boolean;
  readonly nowMs: number;
}

/** How far the app has come after one look at it; undefined while it has not begun to come to anybody. */
export function nextEnablement({ waves, before, good, nowMs }: EnablementInput): { readonly status?: EnablementStatus; readonly restMs?: number } {
  if (before?.phase === 'Completed') return { status: before };
  if (!good) return { status: before && { phase: 'Paused', percent: before.percent } };
  const { standing, restMs } = climb(waves, before, nowMs);
  return standing ? { status: { phase: 'Progressing', ...standing }, restMs } : { status: { phase: 'Completed', percent: 100 } };
}
