import { isDeepStrictEqual } from 'node:util';
import { bareAddress, singleLine } from '@satellite/kit/core';
import type { TargetType } from './audit.actions.js';

/**
 * How a field may stand in an entry. `value`: as it is; `address`: without credentials, query and fragment; `names`:
 * of free-form JSON only the names of its fields, since nobody knows what people put into it.
 */
type Kind = 'value' | 'address' | 'names';

/**
 * The only fields that entries can hold. What is not here cannot be recorded: passwords, tokens, secrets, keys and
 * card data are not kept out, they never get in.
 */
const FIELDS: Readonly<Record<TargetType, Readonly<Record<string, Kind>>>> = {
  user: { organizationId: 'value', email: 'value', username: 'value', firstName: 'value', lastName: 'value', status: 'value', roles: 'value', preferences: 'names', providerId: 'value', planCode: 'value' },
  role: { name: 'value', description: 'value', permissions: 'value' },
  organization: { name: 'value', slug: 'value', type: 'value', status: 'value', domain: 'value', planCode: 'value', ownerId: 'value', ownerEmail: 'value' },
  session: { method: 'value', endReason: 'value' },
  plan: {
    code: 'value', name: 'value', tagline: 'value', monthlyPrice: 'value', yearlyPrice: 'value', section: 'value', ctaLabel: 'value', ctaLink: 'address', features: 'value', status: 'value', serviceIds: 'value',
    limits: 'value', processor: 'value', prices: 'value',
  },
  app: {
    slug: 'value', name: 'value', type: 'value', apiUrl: 'address', uiUrl: 'address', icon: 'address', description: 'value', category: 'value', status: 'value', metadata: 'names', version: 'value',
    permissions: 'value', limitKeys: 'value', navigation: 'value', organizations: 'value', organizationPercent: 'value', uiCanary: 'value', managedBy: 'value', source: 'value', organizationSlug: 'value', enabled: 'value',
  },
  service_client: { appSlug: 'value', installation: 'value', status: 'value', secretsInUse: 'value', permissions: 'value' },
  subscription: { planCode: 'value', status: 'value', interval: 'value', currentPeriodStart: 'value', currentPeriodEnd: 'value', endsAt: 'value', nextPlanCode: 'value', processor: 'value' },
  payment_method: { isDefault: 'value' },
  onboarding_request: { orgName: 'value', orgType: 'value', applicantEmail: 'value', subscriptionPlan: 'value', status: 'value', reason: 'value', organizationId: 'value', userId: 'value' },
  payment_event: { type: 'value', status: 'value' },
  audit_chain: { removedUpTo: 'value', heads: 'value' },
};

const MAX_TEXT = 500;
const MAX_ITEMS = 200;
const MAX_DEPTH = 4;

declare const checked: unique symbol;

/** What an entry may know of something at one moment; made by `snapshot` alone, so that nothing else can be recorded. */
export type Snapshot = Readonly<Record<string, unknown>> & { readonly [checked]: true };

/** Copies what may be recorded of the sources; later ones add to earlier ones. */
export function snapshot(type: TargetType, ...sources: readonly object[]): Snapshot {
  const given = Object.assign({}, ...sources) as Record<string, unknown>;
  const known = Object.entries(FIELDS[type]).filter(([field]) => given[field] !== undefined);
  return Object.fromEntries(known.map(([field, kind]) => [field, recordable(given[field], kind)])) as Snapshot;
}

/** Fields that differ, as they were and as they are; null for the side on which there was nothing. */
export function differenceOf(before: Snapshot | undefined, after: Snapshot | undefined): { before: Record<string, unknown> | null; after: Record<string, unknown> | null } {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => !isDeepStrictEqual(before?.[field] ?? null, after?.[field] ?? null));
  const side = (of: Snapshot | undefined): Record<string, unknown> | null => (of === undefined ? null : Object.fromEntries(fields.map((field) => [field, of[field] ?? null])));
  return { before: side(before), after: side(after) };
}

/** Text from outside, for one line of whatever shows it: no control characters, nothing endless. */
export function recordableText(text: string, max = MAX_TEXT): string {
  return Buffer.from(singleLine(text, max)).toString(); // half a character, which PostgreSQL would refuse, becomes a whole one
}

function recordable(value: unknown, kind: Kind): unknown {
  if (kind === 'names') return typeof value === 'object' && value !== null ? plain(Object.keys(value).sort(), 0) : null;
  if (kind === 'address' && typeof value === 'string') return recordableText(bareAddress(value));
  return plain(value, 0);
}

/** As it comes back from JSON. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return recordableText(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => plain(item, depth + 1));
  return Object.fromEntries(Object.entries(value).slice(0, MAX_ITEMS).map(([name, part]) => [recordableText(name, 100), plain(part, depth + 1)]));
}
