import type { AppView, LaunchpadAppView } from './apps.dto.js';
import type { CachedApp } from './registry-cache.js';
import { desiredOf, type RegistryEntry } from './registry-entry.js';
import { sourceOf } from './registry-writer.js';

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
    remoteEntry: remoteEntryOf(desired.uiUrl),
    managedBy: app.managedBy,
    source: sourceOf(app) ?? null,
    revision: app.revision,
    createdAt: app.createdAt,
    updatedAt: app.updatedAt,
  };
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
    metadata: { remoteName: app.slug, exposedModule: './App', ...app.metadata, navigation: [...app.navigation], permissions: [...app.permissions] },
  };
}
