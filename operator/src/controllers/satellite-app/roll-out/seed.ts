import type { App, AppEntry } from '@satellite/proto/registry/v1';
import type { SatelliteApp } from '../satellite-app.js';
import { frontEndOf, isSameFrontEnd, type EnablementStatus, type FrontEnd, type RollOutStatus } from './front-end.js';
import { percentOf, wavesOf, type Stand } from './roll-out.js';

/**
 * The registry has to be asked: something is to be rolled out and the status does not say what is there already, or
 * it could be behind. That it lags costs a front-end a step; an app it could take away from those who have it.
 */
export function isUnknown(app: SatelliteApp): boolean {
  const { spec, status } = app;
  return (spec.rollout !== undefined && status?.rollout?.stable === undefined) || (wavesOf(app) !== undefined && status?.enablement?.phase !== 'Completed');
}

/**
 * Where the roll-outs stand: by the status, else by the entry, which outlives a status (objects that were restored
 * from a backup or made again, steps that come together with the version they are for).
 */
export function standOf(app: SatelliteApp, entry: AppEntry | undefined): Stand {
  const { spec, status } = app;
  const there = entry?.managedBy === 'operator' ? entry.app : undefined;
  const rollout = status?.rollout?.stable ? status.rollout : there && rollOutBy(there, app);
  const floor = there && percentBy(there, entry?.source?.step ?? '');
  return { rollout: spec.rollout && rollout, enablement: wavesOf(app) && notBelow(floor, status?.enablement) };
}

function rollOutBy(entry: App, app: SatelliteApp): RollOutStatus {
  const stable = frontEndBy(entry);
  const { uiUrl, version, generation } = frontEndOf(app);
  const isOut = entry.uiCanary !== undefined && isSameFrontEnd({ uiUrl, version }, frontEndBy(entry.uiCanary));
  return isOut ? { phase: 'Paused', percent: entry.uiCanary?.percent, stable, candidate: { uiUrl, version, generation } } : { phase: 'Completed', stable };
}

/** The share that was last asked for, whatever somebody has made of it since; undefined when it was not meant for all. */
function percentBy({ organizations }: App, step: string): number | undefined {
  if (organizations?.all !== true) return undefined;
  return step === '' ? 100 : percentOf(step);
}

function notBelow(floor: number | undefined, known: EnablementStatus | undefined): EnablementStatus | undefined {
  if (floor === undefined || floor <= (known?.percent ?? 0)) return known;
  return floor === 100 ? { phase: 'Completed', percent: 100 } : { phase: 'Paused', percent: floor };
}

function frontEndBy({ uiUrl, version, metadata, navigation }: Pick<App, 'uiUrl' | 'version' | 'metadata' | 'navigation'>): FrontEnd {
  return {
    uiUrl: uiUrl || undefined,
    version: version || undefined,
    metadata,
    navigation: navigation.map(({ title, path, icon, permission }) => ({ title, path, ...(icon !== '' && { icon }), ...(permission !== '' && { permission }) })),
  };
}
