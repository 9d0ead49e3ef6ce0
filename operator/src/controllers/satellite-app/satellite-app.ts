import { satelliteAppCrd } from '../../generated/satellite-app-crd.js';
import type { SatelliteAppSpec, SatelliteAppStatus } from '../../generated/satellite-app.js';
import type { CustomResource } from '../../runtime/objects.js';

export type { SatelliteAppSpec, SatelliteAppStatus };

/** One app of the platform as an object of the cluster or of a folder. */
export type SatelliteApp = CustomResource<SatelliteAppSpec, SatelliteAppStatus>;

const [version] = satelliteAppCrd.spec.versions;

/** Where the API server keeps SatelliteApps, and how manifests name them. */
export const SATELLITE_APP = {
  group: satelliteAppCrd.spec.group,
  version: version.name,
  plural: satelliteAppCrd.spec.names.plural,
  apiVersion: `${satelliteAppCrd.spec.group}/${version.name}`,
  kind: satelliteAppCrd.spec.names.kind,
} as const;

export const SATELLITE_APP_SPEC_SCHEMA = version.schema.openAPIV3Schema.properties.spec;

/** Deletion of the object waits until the registry entry is gone or given up. */
export const FINALIZER = 'platform.satellite.io/registry-entry';
/** A new value asks for a reconcile now; `status.lastHandledReconcileAt` repeats it when that was done. */
export const RECONCILE_REQUEST = 'platform.satellite.io/reconcile-requested-at';

export const CONDITION = {
  ready: 'Ready',
  registered: 'Registered',
  cacheSynced: 'CacheSynced',
  uiReachable: 'UIReachable',
  apiCompatible: 'APICompatible',
  drifted: 'Drifted',
  rolledOut: 'RolledOut',
  /** There only while it is true. */
  degraded: 'Degraded',
} as const;

/** The index of the object store: apps by the slug they claim. */
export const slugOf = (app: SatelliteApp): string => app.spec.slug;

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as 1h30m; the schema has checked its form. */
export function durationMs(text: string): number {
  return [...text.matchAll(/(\d+)([smh])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit as string] as number), 0);
}
