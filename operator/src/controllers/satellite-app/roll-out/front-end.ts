import type { SatelliteApp, SatelliteAppSpec, SatelliteAppStatus } from '../satellite-app.js';

export type RollOutStatus = NonNullable<SatelliteAppStatus['rollout']>;
export type EnablementStatus = NonNullable<SatelliteAppStatus['enablement']>;
export type RollOutRules = NonNullable<SatelliteAppSpec['rollout']>;

/** All that belongs to one version of a front-end. */
export type FrontEnd = NonNullable<RollOutStatus['stable']>;

/** The front-end that the object asks for. */
export function frontEndOf({ spec: { uiUrl, version, metadata, navigation }, metadata: { generation } }: SatelliteApp): FrontEnd {
  return { uiUrl, version, metadata, navigation, generation };
}

/** The same version at the same place; what else belongs to it may be written at once. */
export function isSameFrontEnd(one: Pick<FrontEnd, 'uiUrl' | 'version'>, other: Pick<FrontEnd, 'uiUrl' | 'version'> | undefined): boolean {
  return other !== undefined && one.uiUrl === other.uiUrl && one.version === other.version;
}

/** As people know it. */
export function nameOf({ uiUrl, version }: Pick<FrontEnd, 'uiUrl' | 'version'>): string {
  return version === undefined ? `the front-end at ${uiUrl ?? 'no address'}` : `version ${version}`;
}
