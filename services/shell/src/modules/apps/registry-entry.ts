import { isDeepStrictEqual } from 'node:util';
import { snapshot, type Snapshot } from '../audit/index.js';
import type { App, UiCanary } from './app.entity.js';
import type { KeptReport } from './app-report.js';
import type { AppLimitKey, AppPermission, DesiredApp } from './app.rules.js';

/** An entry with what it declares. */
export interface RegistryEntry {
  readonly app: App;
  readonly permissions: readonly AppPermission[];
  readonly limitKeys: readonly AppLimitKey[];
  /** What the operator reported last; undefined when nobody reports. */
  readonly report?: KeptReport | undefined;
}

/** One field whose registry value is not the desired one. */
export interface Difference {
  readonly field: keyof DesiredApp;
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields of a desired app that an entry stores in its own columns under the same name. */
const COLUMNS = ['slug', 'name', 'type', 'apiUrl', 'uiUrl', 'icon', 'description', 'category', 'status', 'metadata', 'version', 'navigation', 'organizationPercent', 'uiCanary'] as const;

/** What an entry says, in the shape in which it is desired. */
export function desiredOf({ app, permissions, limitKeys }: RegistryEntry): DesiredApp {
  return {
    slug: app.slug,
    name: app.name,
    type: app.type,
    apiUrl: app.apiUrl,
    uiUrl: app.uiUrl ?? null,
    icon: app.icon ?? null,
    description: app.description ?? null,
    category: app.category ?? null,
    status: app.status,
    metadata: app.metadata,
    version: app.version ?? null,
    permissions: sortedBy(permissions, 'code'),
    limitKeys: sortedBy(limitKeys, 'key'),
    navigation: app.navigation,
    organizations: { all: app.organizationsAll, slugs: app.organizationSlugs },
    organizationPercent: app.organizationPercent,
    uiCanary: app.uiCanary ?? null,
  };
}

/** What the audit trail may know of an entry. */
export function recordableApp(entry: RegistryEntry): Snapshot {
  const { managedBy, sourceNamespace, sourceName, sourceGeneration } = entry.app;
  const source = sourceName == null ? null : `${sourceNamespace ?? ''}/${sourceName}, generation ${sourceGeneration ?? 0}`;
  return snapshot('app', desiredOf(entry), { managedBy, source, uiCanary: recordableCanary(entry.app.uiCanary ?? null) });
}

/** Of free-form metadata only the names, as for the app itself. */
function recordableCanary(canary: UiCanary | null): object | null {
  return canary && { ...canary, metadata: Object.keys(canary.metadata).sort() };
}

/** Fields in which the entry is not what is desired. */
export function differencesBetween(entry: RegistryEntry, desired: DesiredApp): Difference[] {
  const actual = desiredOf(entry);
  const wanted: DesiredApp = { ...desired, permissions: sortedBy(desired.permissions, 'code'), limitKeys: sortedBy(desired.limitKeys, 'key') };
  return (Object.keys(actual) as (keyof DesiredApp)[])
    .filter((field) => !isDeepStrictEqual(plain(actual[field]), plain(wanted[field])))
    .map((field) => ({ field, before: actual[field], after: wanted[field] }));
}

/** Writes the desired values into the entity; declarations live in tables of their own. */
export function writeInto(app: App, desired: DesiredApp): void {
  for (const field of COLUMNS) Object.assign(app, { [field]: desired[field] });
  app.organizationsAll = desired.organizations.all;
  app.organizationSlugs = desired.organizations.slugs;
}

/** As it comes back from the database: no undefined, no prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function sortedBy<T extends { description?: string }, K extends keyof T>(items: readonly T[], key: K): T[] {
  return items
    .map((item) => ({ ...item, description: item.description ?? '' }))
    .sort((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));
}
