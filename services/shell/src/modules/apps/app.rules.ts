import { z } from 'zod';
import { hasUnstorableText, InvalidFields, jsonDepth } from '@satellite/kit/core';
import { APP_STATUSES, type AppStatus, type NavigationItem, type UiCanary } from './app.entity.js';

export interface AppPermission {
  /** `<slug>.<resource>:<action>`. */
  code: string;
  description?: string;
}

export interface AppLimitKey {
  /** `<slug>.<name>`. */
  key: string;
  description?: string;
}

/** For which organizations an app is enabled until an administrator decides otherwise. */
export interface OrganizationSelection {
  all: boolean;
  /** Organization slugs; counts when `all` is false, and while the app is rolled out to a share of all. */
  slugs: string[];
}

/** A whole, checked registry entry as someone wants it to be. */
export interface DesiredApp {
  slug: string;
  name: string;
  type: string;
  apiUrl: string;
  uiUrl: string | null;
  icon: string | null;
  description: string | null;
  category: string | null;
  status: AppStatus;
  metadata: Record<string, unknown>;
  version: string | null;
  permissions: AppPermission[];
  limitKeys: AppLimitKey[];
  navigation: NavigationItem[];
  organizations: OrganizationSelection;
  /** Share of all organizations for which the app is enabled, 1 to 100; 100 unless `organizations.all`. */
  organizationPercent: number;
  uiCanary: UiCanary | null;
}

/** Slugs that the platform's own paths and token audiences use. */
const RESERVED_SLUGS = new Set(['api', 'admin', 'auth', 'assets', 'shell', 'shell-rbac', 'livez', 'readyz', 'metrics', 'login', 'register']);
const MAX_METADATA_BYTES = 16_384;
const MAX_METADATA_DEPTH = 8;

// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const text = (max: number): z.ZodString => z.string().max(max, `must be at most ${max} characters`).refine((value) => !CONTROLS.test(value), 'must not contain control characters') as z.ZodString;
const name = (max: number): z.ZodString => text(max).min(1, 'must not be empty').regex(/\S/, 'must not be blank');

/** An absolute http(s) URL, or a path on the platform's own host. */
export function isAppUrl(value: string): boolean {
  if (value.length > 2048 || /[\s\\]/.test(value) || CONTROLS.test(value)) return false;
  if (value.startsWith('/')) return !value.startsWith('//') && !/[?#]/.test(value) && !value.split('/').includes('..');
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '' && url.hash === '' && url.search === '';
}

const appUrl = z.string().refine(isAppUrl, 'must be an http(s) address or a path like /drive/api, without credentials, query or fragment');
const icon = z.string().refine((value) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) || isAppUrl(value), 'must be an icon name like folder-open, an http(s) address or a path');
const permissionCode = z.string().max(128).regex(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)*:[a-z][a-z0-9_-]*$/, 'must look like drive.files:read');
const limitKey = z.string().max(128).regex(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)+$/, 'must look like drive.storage_bytes');
const empty = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable());

const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => jsonDepth(value, MAX_METADATA_DEPTH) <= MAX_METADATA_DEPTH, `must not be nested deeper than ${MAX_METADATA_DEPTH}`)
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, `must be at most ${MAX_METADATA_BYTES} bytes of JSON`)
  .refine((value) => jsonDepth(value, MAX_METADATA_DEPTH) > MAX_METADATA_DEPTH || !hasUnstorableText(value), 'must not contain NUL characters or halves of characters')
  .default({});
const navigation = z
  .array(
    z.strictObject({
      title: name(80),
      path: z.string().max(300).refine((path) => path.startsWith('/') && isAppUrl(path), 'must be a path inside the app that begins with /'),
      icon: icon.optional(),
      permission: permissionCode.optional(),
    }),
  )
  .max(50)
  .default([]);
const percent = z.int('must be a whole number').min(1, 'must be 1 to 100').max(100, 'must be 1 to 100');

const Rules = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,38}[a-z0-9]$/, 'must be 2 to 40 lower-case letters, digits or -, begin with a letter and not end with -')
    .refine((slug) => !RESERVED_SLUGS.has(slug), 'is reserved by the platform'),
  name: name(80),
  type: name(40),
  apiUrl: appUrl,
  uiUrl: empty(appUrl),
  icon: empty(icon),
  description: empty(text(500)),
  category: empty(text(40)),
  status: z.enum(APP_STATUSES, `must be one of ${APP_STATUSES.join(', ')}`).default('active'),
  metadata,
  version: empty(text(64)),
  permissions: z.array(z.strictObject({ code: permissionCode, description: text(300).optional() })).max(200).default([]),
  limitKeys: z.array(z.strictObject({ key: limitKey, description: text(300).optional() })).max(50).default([]),
  navigation,
  organizations: z.strictObject({ all: z.boolean(), slugs: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be an organization slug')).max(1000) }).default({ all: true, slugs: [] }),
  organizationPercent: percent.default(100),
  uiCanary: z.strictObject({ uiUrl: empty(appUrl), version: empty(text(64)), metadata, navigation, percent }).nullable().default(null),
});

/** Checks a whole entry and fills in defaults; throws InvalidFields naming every broken field. */
export function parseApp(given: unknown): DesiredApp {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(parsed.error.issues.map((issue) => ({ field: fieldOf(issue), message: messageOfIssue(issue) })));
  const app = parsed.data as DesiredApp;
  const duplicates = [...repeated(app.permissions.map((permission) => permission.code)), ...repeated(app.limitKeys.map((limit) => limit.key))];
  if (duplicates.length > 0) throw new InvalidFields(duplicates.map((code) => ({ field: code, message: 'is declared twice' })));
  return { ...app, ...selectionOf(app) };
}

/** What does not count is not kept: slugs beside all organizations, a share beside a list. */
function selectionOf({ organizations: { all, slugs }, organizationPercent }: DesiredApp): Pick<DesiredApp, 'organizations' | 'organizationPercent'> {
  if (all && organizationPercent === 100) return { organizations: { all, slugs: [] }, organizationPercent };
  return { organizations: { all, slugs: [...new Set(slugs)].sort() }, organizationPercent: all ? organizationPercent : 100 };
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return path.map(String).join('.');
}

function messageOfIssue(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'is not a known field; remove it' : issue.message;
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
