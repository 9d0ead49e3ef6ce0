import { isDeepStrictEqual } from 'node:util';
import { APPLY_PATCH, statusApplyBody } from '../runtime/apply.js';
import type { ApiClient } from '../runtime/api-client.js';
import { ApiStatusError } from '../runtime/api-error.js';
import { KubernetesEventRecorder, type EventObject, type EventRecorder, type EventSink } from '../runtime/events.js';
import type { Lease, LeaseClient } from '../runtime/leader-election.js';
import { keyOf, type CustomResource, type Key } from '../runtime/objects.js';
import { Reflector, type ListPage, type ListWatch, type WatchEvent } from '../runtime/reflector.js';
import { ObjectStore, type ChangeListener } from '../runtime/store.js';
import type { Logger } from '@satellite/kit/telemetry';
import type { ResourceStore } from './resource-store.js';

/** Which objects of an API server. */
export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

export interface KubernetesSourceOptions<T extends CustomResource> {
  readonly client: ApiClient;
  readonly resource: ResourceKind;
  /** Only this namespace; every one unless given. */
  readonly namespace?: string;
  /** Only objects whose labels it selects; all unless given. */
  readonly labelSelector?: string;
  /** A watch on which nothing arrives for so long is taken for dead. */
  readonly silenceLimitMs?: number;
  /** Owner of the fields we apply, and reporter of events. */
  readonly fieldManager: string;
  /** This process, as events name it. */
  readonly instance: string;
  readonly indexBy?: (object: T) => string;
  readonly logger: Logger;
}

/** Writes are tried again on a fresh copy this often before a conflict is given to the caller. */
const CONFLICT_RETRIES = 3;
const WRITE_LIMIT_MS = 15_000;
const OTHERS_PAGE = 500;
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Objects of an API server: a reflector reads, server-side apply writes the status. */
export class KubernetesSource<T extends CustomResource> implements ResourceStore<T> {
  readonly events: EventRecorder;
  private readonly store: ObjectStore<T>;
  private readonly reflector: Reflector<T>;
  private readonly waiters: (() => void)[] = [];

  constructor(private readonly options: KubernetesSourceOptions<T>) {
    const { client, fieldManager, instance, indexBy, logger, labelSelector, silenceLimitMs } = options;
    this.store = new ObjectStore<T>(indexBy);
    this.reflector = new Reflector<T>({ source: collection<T>(client, this.collectionPath(options.namespace), labelSelector), store: this.store, logger, silenceLimitMs, onSynced: () => this.wake() });
    this.events = new KubernetesEventRecorder({ sink: eventSink(client), controller: fieldManager, instance, logger });
  }

  start(): Promise<void> {
    this.reflector.start();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.reflector.stop();
    this.wake();
  }

  hasSynced(): boolean {
    return this.reflector.hasSynced();
  }

  async untilSynced(): Promise<void> {
    if (!this.hasSynced()) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  silentMs(): number {
    return this.reflector.silentMs();
  }

  unhealthy(): string | undefined {
    return this.reflector.unhealthy();
  }

  get(key: Key): T | undefined {
    return this.store.get(key);
  }

  async read(key: Key): Promise<T | undefined> {
    const [namespace = '', name = ''] = key.split('/');
    const limit = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
    try {
      return await this.options.client.send<T>(`${this.collectionPath(namespace)}/${encodeURIComponent(name)}`, limit());
    } catch (error) {
      if (!(error instanceof ApiStatusError) || !error.isNotFound()) throw error;
      // An API server that does not serve the kind (yet) says the same of every object of it.
      await this.options.client.send(this.collectionPath(namespace), { ...limit(), query: { limit: 1 } });
      return undefined;
    }
  }

  /** Without what stands in the objects: that is many times as much. */
  async others(): Promise<ReadonlySet<Key>> {
    const { client, labelSelector, namespace } = this.options;
    const keys = new Set<Key>();
    if (labelSelector === undefined) return keys;
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page: ListAnswer<T> = await client.send(this.collectionPath(namespace), { query: { limit: OTHERS_PAGE, continue: token === '' ? undefined : token }, accept: METADATA_ONLY, signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
      for (const object of page.items) keys.add(keyOf(object));
      token = page.metadata.continue || undefined;
    }
    return keys;
  }

  list(): readonly T[] {
    return this.store.list();
  }

  inIndex(value: string): readonly T[] {
    return this.store.inIndex(value);
  }

  subscribe(listener: ChangeListener<T>): () => void {
    return this.store.subscribe(listener);
  }

  async writeStatus(object: T, status: NonNullable<T['status']>): Promise<T> {
    const { client, fieldManager } = this.options;
    const written = await this.onFreshCopy(object, (current) =>
      client.send<T>(`${this.objectPath(object)}/status`, {
        method: 'PATCH',
        contentType: APPLY_PATCH,
        query: { fieldManager, force: true },
        body: statusApplyBody(current, status),
        signal: AbortSignal.timeout(WRITE_LIMIT_MS),
      }),
    );
    if (written) this.remember(written);
    // The status of an object that is gone interests nobody any more.
    return written ?? object;
  }

  /** A merge patch that carries the resource version; what others did to the list meanwhile is kept. */
  writeFinalizers(object: T, finalizers: readonly string[]): Promise<T | undefined> {
    const present = object.metadata.finalizers ?? [];
    const added = finalizers.filter((name) => !present.includes(name));
    const removed = new Set(present.filter((name) => !finalizers.includes(name)));
    return this.onFreshCopy(object, (current) => {
      const kept = (current.metadata.finalizers ?? []).filter((name) => !removed.has(name) && !added.includes(name));
      return this.patchFinalizers(current, [...kept, ...added]);
    });
  }

  /**
   * Does a write that carries the resource version, so that one which was held up on its way cannot undo a later one.
   * Our copy may be older than the object: a conflict is answered by doing the same to a fresh copy. Undefined when the
   * object is gone.
   */
  private async onFreshCopy(object: T, write: (current: T) => Promise<T>): Promise<T | undefined> {
    for (let current = object, attempt = 1; ; attempt += 1) {
      try {
        return await write(current);
      } catch (error) {
        if (!(error instanceof ApiStatusError)) throw error;
        if (error.isNotFound()) return undefined;
        if (!error.isConflict() || attempt > CONFLICT_RETRIES) throw error;
        const fresh = await this.fetch(object);
        if (!fresh) return undefined;
        current = fresh;
      }
    }
  }

  /** The object as it is now; undefined when it is gone, also when another one has its name. */
  private async fetch(object: T): Promise<T | undefined> {
    try {
      const fresh = await this.options.client.send<T>(this.objectPath(object), { signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
      return fresh.metadata.uid === object.metadata.uid ? fresh : undefined;
    } catch (error) {
      if (error instanceof ApiStatusError && error.isNotFound()) return undefined;
      throw error;
    }
  }

  private async patchFinalizers(object: T, finalizers: readonly string[]): Promise<T> {
    const { client, fieldManager } = this.options;
    const { resourceVersion, uid } = object.metadata;
    const written = await client.send<T>(this.objectPath(object), {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      query: { fieldManager },
      body: { metadata: { resourceVersion, uid, finalizers } },
      signal: AbortSignal.timeout(WRITE_LIMIT_MS),
    });
    // A deleted object without finalizers is gone with this write; the watch tells.
    if (!(written.metadata.deletionTimestamp && (written.metadata.finalizers ?? []).length === 0)) this.remember(written);
    return written;
  }

  /** With other labels than before an object may belong to another operator; the watch tells, if anybody does. */
  private remember(written: T): void {
    const known = this.store.get(keyOf(written));
    if (this.options.labelSelector === undefined || isDeepStrictEqual(known?.metadata.labels, written.metadata.labels)) this.store.written(slim(written));
  }

  private collectionPath(namespace?: string): string {
    const { group, version, plural } = this.options.resource;
    return `/apis/${group}/${version}${namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${plural}`;
  }

  private objectPath({ metadata: { namespace, name } }: T): string {
    return `${this.collectionPath(namespace)}/${encodeURIComponent(name)}`;
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}

interface ListAnswer<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}

function collection<T extends CustomResource>(client: ApiClient, path: string, labelSelector: string | undefined): ListWatch<T> {
  return {
    async list({ limit, continueToken, signal }): Promise<ListPage<T>> {
      const { items, metadata } = await client.send<ListAnswer<T>>(path, { query: { limit, continue: continueToken, labelSelector }, signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]) });
      return { items: items.map(slim), resourceVersion: metadata.resourceVersion, continueToken: metadata.continue };
    },
    async *watch({ resourceVersion, timeoutSeconds, signal, heard }): AsyncIterable<WatchEvent<T>> {
      const events = client.stream<WatchEvent<T>>(path, { query: { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds, labelSelector }, signal }, heard);
      for await (const { type, object } of events) yield { type, object: type === 'ERROR' ? object : slim(object) };
    },
  };
}

/** Without what nobody here reads and what is half of a stored object: who wrote which field, and what kubectl applied. */
function slim<T extends CustomResource>(object: T): T {
  const { managedFields: _managedFields, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...annotations } = metadata.annotations ?? {};
  return { ...object, metadata: { ...metadata, ...(metadata.annotations && { annotations }) } };
}

function eventSink(client: ApiClient): EventSink {
  const path = (namespace: string): string => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  return {
    async create(event: EventObject) {
      await client.send(path(event.metadata.namespace), { method: 'POST', body: event, signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
    },
    async patchSeries(namespace, name, series) {
      await client.send(`${path(namespace)}/${name}`, { method: 'PATCH', contentType: 'application/merge-patch+json', body: { series }, signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
    },
  };
}

/** The lease of an election on an API server. */
export function leaseClient(client: ApiClient, namespace: string, name: string): LeaseClient {
  const collectionPath = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const frame = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const signal = (): AbortSignal => AbortSignal.timeout(5000);
  return {
    async get() {
      try {
        return await client.send<Lease>(`${collectionPath}/${name}`, { signal: signal() });
      } catch (error) {
        if (error instanceof ApiStatusError && error.isNotFound()) return undefined;
        throw error;
      }
    },
    create: (spec) => client.send<Lease>(collectionPath, { method: 'POST', body: { ...frame, metadata: { name, namespace }, spec }, signal: signal() }),
    replace: (lease) => client.send<Lease>(`${collectionPath}/${name}`, { method: 'PUT', body: { ...frame, ...lease }, signal: signal() }),
  };
}
