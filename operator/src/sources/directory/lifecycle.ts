import { isDeepStrictEqual } from 'node:util';
import type { CustomResource, Key, StatusBase } from '../../runtime/objects.js';
import type { Manifest } from './manifest.js';
import { stableUid } from './object-files.js';

/**
 * An object that was not there before. Its generation begins with the Unix time in seconds: the uid is always the same
 * for one name, and the registry refuses a generation that goes back, even when the state of the folder was lost.
 * @param after generation that an earlier object of the same name had
 */
export function newObject<T extends CustomResource>(kind: { readonly apiVersion: string; readonly kind: string }, key: Key, { namespace, name, labels, annotations, spec }: Manifest<T['spec']>, after: number): T {
  const now = Date.now();
  const generation = Math.max(after + 1, Math.floor(now / 1000));
  const metadata = { name, namespace, uid: stableUid(key), generation, resourceVersion: '1', creationTimestamp: new Date(now).toISOString(), labels, annotations, finalizers: [] };
  const status: StatusBase = { observedGeneration: -1 };
  return { ...kind, metadata, spec, status } as unknown as T;
}

/** The object after a change: the same object if nothing changed, a new version otherwise, a new generation if spec did. */
export function changedObject<T extends CustomResource>(object: T, change: (object: T) => T): T {
  const next = change(object);
  if (isDeepStrictEqual(plain(next), plain(object))) return object;
  const specChanged = !isDeepStrictEqual(plain(next.spec), plain(object.spec));
  const { generation, resourceVersion } = object.metadata;
  return { ...next, metadata: { ...next.metadata, generation: specChanged ? generation + 1 : generation, resourceVersion: String(BigInt(resourceVersion) + 1n) } };
}

/** As it will be read back from disk. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
