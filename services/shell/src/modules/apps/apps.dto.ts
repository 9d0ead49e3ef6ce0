import type { AppManager, AppStatus, NavigationItem, UiCanary } from './app.entity.js';
import type { AppLimitKey, AppPermission, OrganizationSelection } from './app.rules.js';

/** A new registry entry (section 2.8 of the interface). */
export interface CreateAppRequest {
  /** Unique; part of the app's address in the Shell. 2 to 40 lower-case letters, digits or `-`; never changes. */
  slug: string;
  /** Shown to users; at most 80 characters. */
  name: string;
  /** Kind of app, for example `satellite`. */
  type: string;
  /** Base address of the app's API: http(s) or a path on the platform's host. */
  apiUrl: string;
  /** Base address of the app's front-end; `remoteEntry.js` lies at its root. Absent for apps without one. */
  uiUrl?: string;
  /** Icon name, http(s) address or path. */
  icon?: string;
  description?: string;
  category?: string;
  /** `active` unless given; only active apps are in the launchpad. */
  status?: AppStatus;
  /** Free JSON object, at most 16 KiB. */
  metadata?: Record<string, unknown>;
  version?: string;
  /** Permission codes that the app declares, under its own slug. */
  permissions?: AppPermission[];
  /** Quota keys that the app declares, under its own slug. */
  limitKeys?: AppLimitKey[];
  navigation?: NavigationItem[];
  /** For which organizations the app is enabled; all unless given. */
  organizations?: OrganizationSelection;
  /** Share of all organizations that get the app, 1 to 100 percent; all unless given. */
  organizationPercent?: number;
  /** A newer front-end for a share of the organizations. */
  uiCanary?: UiCanary | null;
}

/** Fields to change; what is absent stays. */
export interface UpdateAppRequest {
  /** Accepted only when it equals the entry's slug. */
  slug?: string;
  name?: string;
  type?: string;
  apiUrl?: string;
  uiUrl?: string | null;
  icon?: string | null;
  description?: string | null;
  category?: string | null;
  status?: AppStatus;
  metadata?: Record<string, unknown>;
  version?: string | null;
  permissions?: AppPermission[];
  limitKeys?: AppLimitKey[];
  navigation?: NavigationItem[];
  organizations?: OrganizationSelection;
  organizationPercent?: number;
  uiCanary?: UiCanary | null;
}

export interface RegisterRemoteRequest {
  /** Where the remote's front-end lies; `satellite.json` is fetched from its root. */
  uiUrl: string;
  /** Slug to register under, instead of the descriptor's. */
  slug?: string;
}

export interface AppView {
  id: string;
  slug: string;
  name: string;
  type: string;
  apiUrl: string;
  uiUrl: string | null;
  icon: string | null;
  description: string | null;
  category: string | null;
  status: AppStatus;
  /** What people see: `degraded` for an active app whose probes fail, as the operator reports; else `status`. */
  effectiveStatus: AppStatus;
  metadata: Record<string, unknown>;
  version: string | null;
  /** Resolved address of the front-end's entry point; null without a front-end. */
  remoteEntry: string | null;
  permissions: AppPermission[];
  limitKeys: AppLimitKey[];
  navigation: NavigationItem[];
  organizations: OrganizationSelection;
  /** Share of all organizations for which the app is enabled, 1 to 100; which ones is a stable choice, and a larger share contains every smaller one. */
  organizationPercent: number;
  /** A newer front-end that a share of the organizations gets; null when all have the same. */
  uiCanary: UiCanary | null;
  /** Who keeps the entry up to date. */
  managedBy: AppManager;
  /** The SatelliteApp object behind it; null when nobody but administrators edits it. */
  source: AppSourceView | null;
  /** What the operator reported last; null when nobody reports, as of entries of administrators and of the installation. */
  report: AppReportView | null;
  /** Number of the registry write that made the entry what it is; also its entity tag. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface AppSourceView {
  uid: string;
  generation: number;
  namespace: string;
  name: string;
  /** Cluster or folder that the object is in; null when its operator does not say. */
  installation: string | null;
}

/** What the operator found when it last checked the app. */
export interface AppReportView {
  /** Conditions of the SatelliteApp; `Ready` sums up. */
  conditions: ReportedConditionView[];
  /** Generation of the SatelliteApp that the report is about. */
  observedGeneration: number;
  /** Version that is registered; null when the app names none. */
  observedVersion: string | null;
  /** The app's probes fail for longer than a moment. */
  degraded: boolean;
  degradedSince: Date | null;
  /** When the report last changed. */
  reportedAt: Date;
}

export interface ReportedConditionView {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** Machine-readable cause. */
  reason: string;
  /** A sentence for people. */
  message: string;
  lastTransitionTime: Date;
}

/** An app as the launchpad shows it. */
export interface LaunchpadAppView {
  slug: string;
  name: string;
  type: string;
  uiUrl: string | null;
  apiUrl: string;
  icon: string | null;
  description: string | null;
  category: string | null;
  /** Resolved address of `remoteEntry.js`; null for apps without a front-end. */
  remoteEntry: string | null;
  version: string | null;
  /** `degraded`: its probes fail; it may not work at the moment. */
  status: 'active' | 'degraded';
  metadata: LaunchpadMetadata;
}

/** The entry's own metadata and what a host needs to load the remote. */
export interface LaunchpadMetadata {
  /** Name under which the remote is loaded. */
  remoteName: string;
  /** Module that the remote exposes. */
  exposedModule: string;
  navigation: NavigationItem[];
  /** Permission codes that the app declares. */
  permissions: string[];
  [key: string]: unknown;
}

export interface SetEnablementRequest {
  enabled: boolean;
}

export interface EnablementView {
  organizationId: string;
  organizationSlug: string;
  organizationName: string;
  enabled: boolean;
  /** `plan`: the organization's plan does not include the app; `switch`: an administrator decided; `selection`: the app's own list of organizations; `share`: the share of all organizations to which the app has come so far. */
  decidedBy: 'plan' | 'switch' | 'selection' | 'share';
  /** `canary`: it gets the newer front-end that is being rolled out. */
  frontEnd: 'stable' | 'canary';
  /** Version of the front-end that it gets. */
  version: string | null;
}
