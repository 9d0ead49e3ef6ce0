import { isNewer, keyOf, type CustomResource, type Key } from './objects.js';

/** One object as it was and as it is; exactly one of the two may be absent. */
export interface Change<T> {
  readonly key: Key;
  readonly before: T | undefined;
  readonly after: T | undefined;
  /** Part of a list, not news by itself. */
  readonly listed: boolean;
}

export type ChangeListener<T> = (change: Change<T>) => void;

/** Objects that are gone and of which late news is still recognized. */
const GONE_LIMIT = 16_384;

/**
 * Objects by key, with one secondary index. News may come twice, late or in the wrong order: what is older than what is
 * held, or than the end of an object, is ignored. Versions of one type are comparable as integers (KEP-5504; every
 * API server since 1.35 promises what all have always done).
 */
export class ObjectStore<T extends CustomResource> {
  private readonly objects = new Map<Key, T>();
  private readonly index = new Map<string, Set<Key>>();
  private readonly listeners = new Set<ChangeListener<T>>();
  /** Version at which each uid ended, the youngest last. */
  private readonly gone = new Map<string, { readonly resourceVersion: string }>();
  /** Objects written by ourselves since the list that is under way was asked for. */
  private readonly writtenMeanwhile = new Set<Key>();

  /** @param indexBy value under which inIndex() finds an object */
  constructor(private readonly indexBy: (object: T) => string = () => '') {}

  get size(): number {
    return this.objects.size;
  }

  get(key: Key): T | undefined {
    return this.objects.get(key);
  }

  /** The same version of the object as it is held already, if it is; so that a list that says nothing new is not held twice. */
  held(object: T): T {
    const known = this.objects.get(keyOf(object));
    return known && isSameVersion(known, object) ? known : object;
  }

  list(): T[] {
    return [...this.objects.values()];
  }

  inIndex(value: string): T[] {
    return [...(this.index.get(value) ?? [])].map((key) => this.objects.get(key) as T);
  }

  subscribe(listener: ChangeListener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A watch event: added or modified. */
  put(object: T, listed = false): void {
    const before = this.objects.get(keyOf(object));
    const end = this.gone.get(object.metadata.uid);
    if (before && !isNewer(object.metadata, before.metadata)) return;
    if (end && !isNewer(object.metadata, end)) return;
    this.change(keyOf(object), object, listed);
  }

  /** A watch event: deleted, or no longer selected. */
  deleted(object: T): void {
    const { uid } = object.metadata;
    const known = this.objects.get(keyOf(object));
    this.bury(uid, object.metadata.resourceVersion);
    if (known?.metadata.uid === uid && !isNewer(known.metadata, object.metadata)) this.remove(keyOf(object));
  }

  /** Forgets an object; another one of its uid may come. */
  remove(key: Key): void {
    if (this.objects.has(key)) this.change(key, undefined, false);
  }

  /** The answer to a write of our own: kept so that the next read sees it, unless the object is gone meanwhile. */
  written(object: T): void {
    const key = keyOf(object);
    if (this.objects.get(key)?.metadata.uid !== object.metadata.uid) return;
    this.writtenMeanwhile.add(key);
    this.put(object);
  }

  /** A complete list is about to be asked for. */
  beginList(): void {
    this.writtenMeanwhile.clear();
  }

  /**
   * A complete list: what is not in it no longer exists. It is right also where it is older than what is held, because
   * an API server whose storage was restored from a backup goes back; only our own writes since it was asked for stay.
   */
  replace(objects: readonly T[], resourceVersion: string): void {
    const listed = new Set(objects.map(keyOf));
    for (const [key, { metadata }] of [...this.objects]) {
      if (listed.has(key)) continue;
      this.bury(metadata.uid, resourceVersion);
      this.change(key, undefined, true);
    }
    for (const object of objects) {
      const key = keyOf(object);
      const known = this.objects.get(key);
      const keep = known && (isSameVersion(known, object) || (known.metadata.uid === object.metadata.uid && this.writtenMeanwhile.has(key) && isNewer(known.metadata, object.metadata)));
      this.gone.delete(object.metadata.uid);
      this.change(key, keep ? known : object, true);
    }
  }

  private bury(uid: string, resourceVersion: string): void {
    this.gone.delete(uid);
    this.gone.set(uid, { resourceVersion });
    const [oldest] = this.gone.keys();
    if (this.gone.size > GONE_LIMIT && oldest !== undefined) this.gone.delete(oldest);
  }

  private change(key: Key, after: T | undefined, listed: boolean): void {
    const before = this.objects.get(key);
    if (before !== after) this.store(key, before, after);
    for (const listener of this.listeners) listener({ key, before, after, listed });
  }

  private store(key: Key, before: T | undefined, after: T | undefined): void {
    if (before) this.unindex(key, this.indexBy(before));
    if (!after) return void this.objects.delete(key);
    this.objects.set(key, after);
    const value = this.indexBy(after);
    const keys = this.index.get(value) ?? new Set();
    this.index.set(value, keys.add(key));
  }

  private unindex(key: Key, value: string): void {
    const keys = this.index.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.index.delete(value);
  }
}

function isSameVersion({ metadata: a }: CustomResource, { metadata: b }: CustomResource): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}
