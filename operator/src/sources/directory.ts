import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { watch, type FSWatcher } from 'chokidar';
import { LogEventRecorder, type EventRecorder } from '../runtime/events.js';
import { keyOf, type CustomResource, type Key } from '../runtime/objects.js';
import { ObjectStore, type ChangeListener } from '../runtime/store.js';
import { systemTimers, type TimerHandle, type Timers } from '../runtime/timers.js';
import { Catalog, type ManifestProblem, type Wish } from './directory/catalog.js';
import type { CrdSchema } from './directory/crd-schema.js';
import { FileIndex } from './directory/file-index.js';
import { FolderLens, isManifestFile, SETTLE_MS } from './directory/files.js';
import { ManifestReader, type Manifest } from './directory/manifest.js';
import { Absences } from './directory/absences.js';
import { changedObject, newObject } from './directory/lifecycle.js';
import { ObjectFiles } from './directory/object-files.js';
import { StatusFiles } from './directory/status-files.js';
import type { ResourceStore } from './resource-store.js';

export interface DirectorySourceOptions<T extends CustomResource> {
  readonly directory: string;
  readonly kind: { readonly apiVersion: string; readonly kind: string };
  readonly specSchema: CrdSchema;
  readonly indexBy?: (object: T) => string;
  readonly logger: Logger;
  readonly timers?: Timers;
}

/** Changes come in bursts; one look serves them all. */
const BURST_MS = 10;
/** Looks even when nothing was announced: file systems lose events, and some have none. */
const PATROL_MS = 5_000;
/** A look that takes longer hangs: on a file system that does not answer, perhaps. */
const STUCK_MS = 120_000;

/**
 * A folder of manifests as a source of objects, with what an API server would add: validation, defaults, uid, generation,
 * finalizers, status. The status of `x.yaml` stands in `x.yaml.status.yaml`; removing a manifest deletes its objects.
 */
export class DirectorySource<T extends CustomResource> implements ResourceStore<T> {
  readonly events: EventRecorder;
  private readonly store: ObjectStore<T>;
  private readonly lens: FolderLens;
  private readonly catalog: Catalog<T['spec']>;
  private readonly files: ObjectFiles<T>;
  private readonly statuses: StatusFiles;
  private readonly absences: Absences;
  private readonly timers: Timers;
  private readonly origins = new FileIndex();
  /** Last generation of objects that are gone, in case the name comes back within a second. */
  private readonly lastGenerations = new Map<Key, number>();
  /** What each object was last made from; the catalog gives the same manifest again while its file does not change. */
  private readonly followed = new Map<Key, Manifest<T['spec']>>();
  private problems: ReadonlyMap<string, readonly ManifestProblem[]> = new Map();
  private watcher: FSWatcher | undefined;
  private timer: { readonly handle: TimerHandle; readonly at: number } | undefined;
  private looking: Promise<void> = Promise.resolve();
  private synced = false;
  private stopped = false;
  private lookedAt: number;
  private movedAt: number;
  private readonly waiters: (() => void)[] = [];

  constructor(private readonly options: DirectorySourceOptions<T>) {
    const { directory, kind, logger, indexBy } = options;
    this.timers = options.timers ?? systemTimers;
    this.lookedAt = this.movedAt = this.timers.now();
    this.events = new LogEventRecorder(logger);
    this.store = new ObjectStore<T>(indexBy);
    this.lens = new FolderLens(directory, this.timers);
    this.catalog = new Catalog(directory, new ManifestReader<T['spec']>(kind, options.specSchema));
    this.files = new ObjectFiles<T>(directory, logger);
    this.statuses = new StatusFiles(directory, kind, (file) => this.report(file), logger);
    this.absences = new Absences(this.timers);
  }

  async start(): Promise<void> {
    const { directory } = this.options;
    await mkdir(directory, { recursive: true });
    for (const { file, object } of await this.files.load()) {
      this.origins.set(keyOf(object), file);
      this.store.put(object, true);
    }
    this.watcher = watch(directory, { depth: 0, ignoreInitial: true, ignored: (path) => path !== directory && !isManifestFile(basename(path)) });
    this.watcher.on('all', () => this.lookIn(BURST_MS));
    // The watcher announces nothing that was written after our first look and before it stood.
    this.watcher.on('ready', () => this.lookIn(BURST_MS));
    this.watcher.on('error', (error) => this.options.logger.warn({ detail: messageOf(error) }, 'the folder cannot be watched; it is looked at every few seconds'));
    this.lookIn(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) this.timers.clear(this.timer.handle);
    await this.watcher?.close();
    await this.looking;
    await this.files.idle();
    await this.statuses.idle();
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  hasSynced(): boolean {
    return this.synced;
  }

  async untilSynced(): Promise<void> {
    if (!this.synced && !this.stopped) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  silentMs(): number {
    return this.timers.now() - this.lookedAt;
  }

  /** A folder that cannot be read is looked at again for ever; only a look that does not end is for a new process. */
  unhealthy(): string | undefined {
    const stuckMs = this.timers.now() - this.movedAt;
    return stuckMs > STUCK_MS ? `the folder of manifests has not been looked at for ${Math.round(stuckMs / 1000)} s` : undefined;
  }

  get(key: Key): T | undefined {
    return this.store.get(key);
  }

  async read(key: Key): Promise<T | undefined> {
    const object = this.store.get(key);
    if (object) return object;
    // What cannot be read may be this object, and a folder that is away may hold it.
    if (!this.synced || this.problems.size > 0 || !(await this.files.present())) throw new Error('not every manifest of the folder can be read');
    return undefined;
  }

  others(): Promise<ReadonlySet<Key>> {
    return Promise.resolve(new Set());
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
    return (await this.update(object, (current) => ({ ...current, status }))) ?? object;
  }

  async writeFinalizers(object: T, finalizers: readonly string[]): Promise<T | undefined> {
    return this.update(object, (current) => ({ ...current, metadata: { ...current.metadata, finalizers } }));
  }

  private async update(object: T, change: (current: T) => T): Promise<T | undefined> {
    const key = keyOf(object);
    const current = this.store.get(key);
    if (current?.metadata.uid !== object.metadata.uid) return undefined;
    const next = changedObject(current, change);
    if (next.metadata.deletionTimestamp && (next.metadata.finalizers ?? []).length === 0) await this.forget(key);
    else {
      const file = this.origins.fileOf(key) ?? '';
      await this.save(file, next);
      await this.statuses.update(file);
    }
    return next;
  }

  private async save(file: string, object: T): Promise<void> {
    this.origins.set(keyOf(object), file);
    this.store.put(object);
    await this.files.save({ file, object });
  }

  private async forget(key: Key): Promise<void> {
    const file = this.origins.fileOf(key) ?? '';
    this.lastGenerations.set(key, this.store.get(key)?.metadata.generation ?? 0);
    await this.files.remove(key);
    this.origins.delete(key);
    this.followed.delete(key);
    this.store.remove(key);
    await this.statuses.update(file);
    // The manifest may have come back while the object was being deleted.
    this.lookIn(0);
  }

  private lookIn(delayMs: number): void {
    const at = this.timers.now() + delayMs;
    if (this.stopped || (this.timer && this.timer.at <= at)) return;
    if (this.timer) this.timers.clear(this.timer.handle);
    const handle = this.timers.set(() => {
      this.timer = undefined;
      this.looking = this.looking.then(() => this.look());
    }, delayMs);
    this.timer = { at, handle };
  }

  private async look(): Promise<void> {
    try {
      const view = await this.lens.look();
      const wish = await this.catalog.read(view, { specOf: (key) => this.store.get(key)?.spec, fileOf: (key) => this.origins.fileOf(key) });
      const nextMs = await this.follow(wish);
      this.lookedAt = this.timers.now();
      if (view.unsettled.size === 0) this.reportSynced();
      this.lookIn(Math.min(nextMs, view.unsettled.size > 0 ? SETTLE_MS : PATROL_MS));
    } catch (error) {
      this.options.logger.error({ directory: this.options.directory, detail: messageOf(error) }, 'the folder of manifests cannot be read; nothing is changed');
      this.lookIn(1000);
    }
    this.movedAt = this.timers.now();
  }

  /** Makes the objects what the folder asks for; answers when to look again because of what is missing. */
  private async follow(wish: Wish<T['spec']>): Promise<number> {
    const before = this.problems;
    this.problems = wish.problems;
    const saves: Promise<void>[] = [];
    for (const [key, { file, manifest }] of wish.manifests) {
      const current = this.store.get(key);
      if (current?.metadata.deletionTimestamp || (current && this.followed.get(key) === manifest && this.origins.fileOf(key) === file)) continue;
      this.followed.set(key, manifest);
      const next = current ? changedObject(current, (object) => ({ ...object, spec: manifest.spec, metadata: { ...object.metadata, labels: manifest.labels, annotations: manifest.annotations } })) : newObject<T>(this.options.kind, key, manifest, this.lastGenerations.get(key) ?? 0);
      if (next !== current || this.origins.fileOf(key) !== file) saves.push(this.moveAndSave(file, next));
    }
    await Promise.all(saves);
    const nextMs = await this.deleteMissing(wish);
    for (const file of new Set([...before.keys(), ...wish.problems.keys()])) {
      if (JSON.stringify(before.get(file)) !== JSON.stringify(wish.problems.get(file))) await this.announce(file);
    }
    return nextMs;
  }

  private async moveAndSave(file: string, object: T): Promise<void> {
    const previous = this.origins.fileOf(keyOf(object));
    await this.save(file, object);
    if (previous === undefined || previous === file) return;
    await Promise.all([this.statuses.update(previous), this.statuses.update(file)]);
  }

  private async deleteMissing(wish: Wish<T['spec']>): Promise<number> {
    const missing = this.store.list().filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(keyOf).filter((key) => !wish.manifests.has(key) && !wish.held.has(key) && !wish.heldFiles.has(this.origins.fileOf(key) ?? ''));
    const { gone, nextMs } = this.absences.confirm(missing, (key) => wish.files.has(this.origins.fileOf(key) ?? ''));
    if (gone.length === 0) return nextMs;
    if (!(await this.files.present())) {
      this.options.logger.error({ directory: this.options.directory, objects: gone.length }, 'the folder lost its state together with its manifests; nothing is deleted. Restore it, or restart the operator to accept that it is empty');
      return nextMs;
    }
    for (const key of gone) await this.markDeleted(key);
    return nextMs;
  }

  private async markDeleted(key: Key): Promise<void> {
    const object = this.store.get(key);
    if (!object) return;
    if ((object.metadata.finalizers ?? []).length === 0) return this.forget(key);
    await this.save(this.origins.fileOf(key) ?? '', changedObject(object, (current) => ({ ...current, metadata: { ...current.metadata, deletionTimestamp: new Date().toISOString() } })));
  }

  private async announce(file: string): Promise<void> {
    for (const { key, position, message } of this.problems.get(file) ?? []) this.options.logger.warn({ file, object: key, document: position, detail: message }, 'a manifest is not valid');
    await this.statuses.update(file);
  }

  private report(file: string): { readonly objects: readonly T[]; readonly problems: readonly ManifestProblem[] } | undefined {
    const objects = this.origins.keysOf(file).flatMap((key) => this.store.get(key) ?? []);
    const problems = this.problems.get(file) ?? [];
    return objects.length + problems.length > 0 ? { objects, problems } : undefined;
  }

  private reportSynced(): void {
    this.synced = true;
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}
