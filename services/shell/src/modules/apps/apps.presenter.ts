import type { App } from './app.entity.js';
import { effectiveStatus, type KeptReport } from './app-report.js';
import type { AppReportView, AppSourceView, AppView, LaunchpadAppView } from './apps.dto.js';
import type { CachedApp } from './registry-cache.js';
import { desiredOf, type RegistryEntry } from './registry-entry.js';
import { sourceOf } from './app-source.js';

/** `remoteEntry.js` at the root of the front-end; a path stays a path, so that it works on every host of the platform. */
export function remoteEntryOf(uiUrl: string | null): string | null {
  return uiUrl === null ? null : `${uiUrl.replace(/\/+$/, '')}/remoteEntry.js`;
}

export function presentApp(entry: RegistryEntry): AppView {
  const { app } = entry;
  const desired = desiredOf(entry);
  return {
    id: app.id,
    ...desired,
    effectiveStatus: effectiveStatus(app.status, entry.report?.degraded ?? false),
    remoteEntry: remoteEntryOf(desired.uiUrl),
    managedBy: app.managedBy,
    source: presentSource(app),
    report: entry.report ? presentReport(entry.report) : null,
    revision: app.revision,
    createdAt: app.createdAt,
    updatedAt: app.updatedAt,
  };
}

function presentSource(app: App): AppSourceView | null {
  const source = sourceOf(app);
  if (source === undefined) return null;
  const { uid, generation, namespace, name, installation } = source;
  return { uid, generation, namespace, name, installation: installation === '' ? null : installation };
}

function presentReport({ conditions, observedGeneration, observedVersion, degraded, degradedSince, reportedAt }: KeptReport): AppReportView {
  const shown = conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({ type, status, reason, message, lastTransitionTime: new Date(lastTransitionTime) }));
  return { conditions: shown, observedGeneration, observedVersion, degraded, degradedSince, reportedAt };
}

export function presentLaunchpadApp(app: CachedApp): LaunchpadAppView {
  return {
    slug: app.slug,
    name: app.name,
    type: app.type,
    uiUrl: app.uiUrl,
    apiUrl: app.apiUrl,
    icon: app.icon,
    description: app.description,
    category: app.category,
    remoteEntry: remoteEntryOf(app.uiUrl),
    version: app.version,
    status: app.degraded === true ? 'degraded' : 'active',
    metadata: { remoteName: app.slug, exposedModule: './App', ...app.metadata, navigation: [...app.navigation], permissions: [...app.permissions] },
  };
}
