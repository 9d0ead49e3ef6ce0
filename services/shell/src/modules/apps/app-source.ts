import type { App } from './app.entity.js';

/** Where an entry comes from when the operator manages it. */
export interface AppSource {
  readonly uid: string;
  readonly generation: number;
  readonly namespace: string;
  readonly name: string;
  /** Which cluster or folder the object is in; empty = unknown. */
  readonly installation: string;
  /** `Delete` or `Orphan`: what becomes of the entry when the object is gone; empty = unknown. */
  readonly deletionPolicy: string;
  /** Where the roll-out of this generation stands; empty without one. */
  readonly step: string;
}

/** What an entry says of whose it is. */
export type OwnedApp = Pick<App, 'id' | 'slug' | 'revision' | 'managedBy' | 'sourceUid' | 'sourceGeneration' | 'sourceNamespace' | 'sourceName' | 'sourceInstallation' | 'sourceDeletionPolicy' | 'sourceStep'>;

/** The source that an entry records; undefined when it never had one. */
export function sourceOf(app: Omit<OwnedApp, 'id' | 'slug' | 'revision'>): AppSource | undefined {
  if (app.sourceUid == null) return undefined;
  return { uid: app.sourceUid, generation: app.sourceGeneration ?? 0, namespace: app.sourceNamespace ?? '', name: app.sourceName ?? '', installation: app.sourceInstallation ?? '', deletionPolicy: app.sourceDeletionPolicy ?? '', step: app.sourceStep };
}

/** Columns of a source; what it does not say of itself stays as it is known. No source: nobody's. */
export function sourceColumns(source: AppSource | undefined, known?: AppSource) {
  const installation = source?.installation || (source && known?.installation);
  const deletionPolicy = source?.deletionPolicy || (source && known?.deletionPolicy);
  return { sourceUid: source?.uid ?? null, sourceGeneration: source?.generation ?? null, sourceNamespace: source?.namespace ?? null, sourceName: source?.name ?? null, sourceInstallation: installation || null, sourceDeletionPolicy: deletionPolicy || null, sourceStep: source?.step ?? '' };
}
