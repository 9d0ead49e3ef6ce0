import { Stalled, Waiting } from '../../runtime/errors.js';
import type { Outcome } from '../../runtime/summarize.js';
import type { SatelliteAppStatus } from './satellite-app.js';

export type Episode = NonNullable<SatelliteAppStatus['history']>[number];

const LENGTH = 5;

/**
 * The newest first; a run that ended as the one before, on the same object and front-end, is no news. Of one object that
 * ends the same on many front-ends the first and the last are kept, so that they do not drive out everything else.
 */
export function withEpisode(history: readonly Episode[] = [], episode: Episode): Episode[] {
  const [last, earlier] = history;
  if (!isAlike(last, episode)) return [episode, ...history].slice(0, LENGTH);
  if (last?.uiDigest === episode.uiDigest) return [...history];
  return [episode, ...history.slice(isAlike(earlier, episode) ? 1 : 0)].slice(0, LENGTH);
}

function isAlike(one: Episode | undefined, other: Episode): boolean {
  return one?.generation === other.generation && one.reason === other.reason;
}

export function resultOf(outcome: Outcome, suspended: boolean): Episode['result'] {
  if (outcome === undefined) return suspended ? 'Suspended' : 'Succeeded';
  if (outcome instanceof Stalled) return 'Stalled';
  return outcome instanceof Waiting ? 'Waiting' : 'Failed';
}
