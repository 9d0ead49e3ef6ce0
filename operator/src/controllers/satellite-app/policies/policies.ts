import { keyOf } from '../../../runtime/objects.js';
import type { SatelliteApp } from '../satellite-app.js';

/** What a policy may look at. */
export interface PolicyInput {
  readonly app: SatelliteApp;
  /** Every app that claims the same slug, this one included. */
  readonly claims: readonly SatelliteApp[];
}

/** A broken rule: the reason of the condition and what to change. */
export interface Violation {
  readonly reason: string;
  readonly message: string;
}

export type Policy = (input: PolicyInput) => Violation | undefined;

/** The oldest claim of a slug wins; of two of the same second, the one that is registered, then the smaller uid. */
export const slugIsOurs: Policy = ({ app, claims }) => {
  const [winner] = [...claims].sort(byAge);
  if (!winner || winner.metadata.uid === app.metadata.uid) return undefined;
  return { reason: 'SlugConflict', message: `slug ${app.spec.slug} belongs to ${keyOf(winner)}, which claimed it first. Delete that object, or create this one anew with another slug.` };
};

export const permissionsArePrefixed: Policy = ({ app: { spec } }) => {
  const foreign = spec.permissions?.find(({ code }) => !code.startsWith(`${spec.slug}.`));
  return foreign && { reason: 'PermissionPrefix', message: `permission ${foreign.code} must begin with ${spec.slug}. (the app's own slug and a dot).` };
};

export const limitsArePrefixed: Policy = ({ app: { spec } }) => {
  const foreign = spec.limitKeys?.find(({ key }) => !key.startsWith(`${spec.slug}.`));
  return foreign && { reason: 'LimitKeyPrefix', message: `limit key ${foreign.key} must begin with ${spec.slug}. (the app's own slug and a dot).` };
};

export const navigationIsPermitted: Policy = ({ app: { spec } }) => {
  const declared = new Set(spec.permissions?.map(({ code }) => code));
  const unknown = spec.navigation?.find(({ permission }) => permission !== undefined && permission !== '' && !declared.has(permission));
  return unknown && { reason: 'NavigationPermissionUnknown', message: `navigation entry "${unknown.title}" needs permission ${unknown.permission}, which spec.permissions does not declare. Declare it or remove it from the entry.` };
};

/** In this order; the first violation counts. */
export const POLICIES: readonly Policy[] = [slugIsOurs, permissionsArePrefixed, limitsArePrefixed, navigationIsPermitted];

export function firstViolation(input: PolicyInput, policies: readonly Policy[] = POLICIES): Violation | undefined {
  for (const policy of policies) {
    const violation = policy(input);
    if (violation) return violation;
  }
  return undefined;
}

function byAge(a: SatelliteApp, b: SatelliteApp): number {
  const age = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return age || Number(b.status?.registry !== undefined) - Number(a.status?.registry !== undefined) || (a.metadata.uid < b.metadata.uid ? -1 : 1);
}
