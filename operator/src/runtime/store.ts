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

/** Objects by key, with one secondary index. Never goes back: what is older than what it holds is ignored. */
export class ObjectStore<T extends CustomResource> {
  private readonly objects = new Map<Key, T>();
  private readonly index = new Map<string, Set<Key>>();
  private readonly listeners = new Set<ChangeListener<T>>();

  /** @param indexBy value under which inIndex() finds an object */
  constructor(private readonly indexBy: (object: T) => string = () => '') {}

  get size(): number {
    return this.objects.size;
  }

  get(key: Key): T | undefined {
    return this.objects.get(key);
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
    const key = keyOf(object);
    const before = this.objects.get(key);
    if (before && before.metadata.uid === object.metadata.uid && !isNewer(object.metadata, before.metadata)) {
      if (listed) this.notify({ key, before, after: before, listed });
      return;
    }
    this.store(key, before, object);
    this.notify({ key, before, after: object, listed });
  }

  /** A watch event: deleted. */
  remove(key: Key, listed = false): void {
    const before = this.objects.get(key);
    if (!before) return;
    this.store(key, before, undefined);
    this.notify({ key, before, after: undefined, listed });
  }

  /** The answer to a write of our own: kept so that the next read sees it, unless the object is gone meanwhile. */
  written(object: T): void {
    const known = this.objects.get(keyOf(object));
    if (known?.metadata.uid === object.metadata.uid) this.put(object);
  }

  /** A complete list: what is not in it no longer exists. */
  replace(objects: readonly T[]): void {
    const listed = new Set(objects.map(keyOf));
    for (const key of [...this.objects.keys()]) if (!listed.has(key)) this.remove(key, true);
    for (const object of objects) this.put(object, true);
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

  private notify(change: Change<T>): void {
    for (const listener of this.listeners) listener(change);
  }
}
