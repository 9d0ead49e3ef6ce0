import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const APP_STATUSES = ['active', 'inactive', 'degraded', 'maintenance'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

export const APP_MANAGERS = ['operator', 'api', 'seed'] as const;
/** Who keeps an entry up to date; an entry of the operator follows its SatelliteApp object. */
export type AppManager = (typeof APP_MANAGERS)[number];

/** An entry of an app's menu, shown by the Shell before the app's code is loaded. */
export interface NavigationItem {
  title: string;
  /** Path inside the app, begins with `/`. */
  path: string;
  icon?: string;
  /** Permission code a user needs to see the item. */
  permission?: string;
}

/** A newer front-end that only a share of the organizations gets. */
export interface UiCanary {
  uiUrl: string | null;
  version: string | null;
  metadata: Record<string, unknown>;
  navigation: NavigationItem[];
  /** 1 to 100. */
  percent: number;
}

export const AppSchema = defineEntity({
  name: 'App',
  tableName: 'apps',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    slug: p.string().length(40),
    name: p.string().length(80),
    type: p.string().length(40),
    apiUrl: p.string().length(2048),
    uiUrl: p.string().length(2048).nullable(),
    icon: p.string().length(2048).nullable(),
    description: p.string().length(500).nullable(),
    category: p.string().length(40).nullable(),
    status: p.enum(APP_STATUSES),
    metadata: p.json<Record<string, unknown>>().onCreate(() => ({})),
    version: p.string().length(64).nullable().fieldName('app_version'),
    navigation: p.json<NavigationItem[]>().onCreate(() => []),
    /** Enabled for every organization, else for those in `organizationSlugs`; an administrator's switch outranks both. */
    organizationsAll: p.boolean().default(true),
    organizationSlugs: p.array().onCreate(() => []),
    /** Share of the organizations that "every organization" means; those of `organizationSlugs` have the app anyway. */
    organizationPercent: p.smallint().default(100),
    uiCanary: p.json<UiCanary>().nullable(),
    managedBy: p.enum(APP_MANAGERS),
    sourceUid: p.string().length(128).nullable(),
    sourceGeneration: p.bigint('number').nullable(),
    sourceNamespace: p.string().length(253).nullable(),
    sourceName: p.string().length(253).nullable(),
    /** Which cluster or folder the object is in. */
    sourceInstallation: p.string().length(128).nullable(),
    /** `Delete` or `Orphan`: what becomes of the entry when its object is gone without the operator's knowing. */
    sourceDeletionPolicy: p.text().nullable(),
    /** Step of the source's roll-out that the entry shows; empty without one. */
    sourceStep: p.string().length(64).default(''),
    /** Number of the registry write that made the entry what it is. */
    revision: p.bigint('number'),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** An entry of the app registry (section 2.8 of the interface). */
export class App extends AppSchema.class {}
AppSchema.setClass(App);
