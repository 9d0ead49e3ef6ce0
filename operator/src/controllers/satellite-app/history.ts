import { Stalled, Waiting } from '../../runtime/errors.js';
import type { Outcome } from '../../runtime/summarize.js';
import type { SatelliteAppStatus } from './satellite-app.js';

export type Episode = NonNullable<SatelliteAppStatus['history']>[number];

const LENGTH = 5;

/** The newest first; a run that ended as the one before, on the same object and front-end, is no news. */
export function withEpisode(history: readonly Episode[] | undefined, episode: Episode): Episode[] {
  const [last] = history ?? [];
  const repeated = last?.generation === episode.generation && last.reason === episode.reason && last.uiDigest === episode.uiDigest;
  return repeated && history ? [...history] : [episode, ...(history ?? [])].slice(0, LENGTH);
}

export function resultOf(outcome: Outcome, suspended: boolean): Episode['result'] {
  if (outcome === undefined) return suspended ? 'Suspended' : 'Succeeded';
  if (outcome instanceof Stalled) return 'Stalled';
  return outcome instanceof Waiting ? 'Waiting' : 'Failed';
}
