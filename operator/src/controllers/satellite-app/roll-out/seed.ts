import type { App, AppEntry, AppSource } from '@satellite/proto/registry/v1';
import type { SatelliteApp } from '../satellite-app.js';
import { isRolledBack } from './canary.js';
import { frontEndOf, isSameFrontEnd, type EnablementStatus, type FrontEnd, type RollOutStatus } from './front-end.js';
import { canaryPart, percentOf, wavesOf, type Stand } from './roll-out.js';

/**
 * The registry has to be asked: something is being rolled out, and the status may be missing, or behind when its last
 * write was lost. What everybody has is not asked for again.
 */
export function isUnknown(app: SatelliteApp): boolean {
  const { spec, status } = app;
  const wanted = frontEndOf(app);
  const isSettled = isSameFrontEnd(wanted, status?.rollout?.stable) || isRolledBack(status?.rollout, wanted);
  return (spec.rollout !== undefined && !isSettled) || (wavesOf(app) !== undefined && status?.enablement?.phase !== 'Completed');
}

/**
 * Where the roll-outs stand: by the status and by the entry. The entry outlives a status (objects that were restored
 * from a backup or made again, steps that come together with the version they are for), and is written before it.
 */
export function standOf(app: SatelliteApp, entry: AppEntry | undefined): Stand {
  const { spec, status } = app;
  const there = entry?.managedBy === 'operator' ? entry.app : undefined;
  const floor = there && percentBy(there, entry?.source?.step ?? '');
  return { rollout: spec.rollout && rollOutBy(app, there && entry?.source, there), enablement: wavesOf(app) && notBelow(floor, status?.enablement) };
}

function rollOutBy(app: SatelliteApp, source: AppSource | undefined, there: App | undefined): RollOutStatus | undefined {
  const [known, wanted] = [app.status?.rollout?.stable && app.status.rollout, frontEndOf(app)];
  if (!there || isSameFrontEnd(wanted, known?.stable)) return known;
  const step = canaryPart(source?.step ?? '');
  const isOfThis = source?.uid === app.metadata.uid && source.generation === BigInt(app.metadata.generation);
  if (isOfThis && step === 'all') return { phase: 'Completed', stable: frontEndBy(there) };
  const stable = known?.stable ?? frontEndBy(there);
  const candidate = identity(isOfThis ? wanted : there.uiCanary && frontEndBy(there.uiCanary));
  if (isOfThis && step === 'back') return isRolledBack(known, wanted) ? known : { phase: 'RolledBack', percent: 0, failures: app.spec.rollout?.failureThreshold, stable, candidate };
  const percent = Number(step) || 0;
  const isKnown = candidate && isSameFrontEnd(candidate, known?.candidate) && (known?.percent ?? 0) >= percent;
  return !candidate || percent === 0 || isKnown ? (known ?? { phase: 'Completed', stable }) : { phase: 'Paused', percent, stable, candidate };
}

function identity(frontEnd: FrontEnd | undefined): RollOutStatus['candidate'] {
  return frontEnd && { uiUrl: frontEnd.uiUrl, version: frontEnd.version, generation: frontEnd.generation };
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
