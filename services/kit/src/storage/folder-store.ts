import { createWriteStream } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAppError } from '../core/index.js';
import { assertKey, ObjectMissing, StoreFailed } from './errors.js';
import { Measure } from './measure.js';
import type { ByteRange, ObjectInfo, ObjectStore, StoredObject } from './object-store.js';

const OBJECTS = 'objects';
/** On the same file system as the objects, so that a rename is one step. */
const UNFINISHED = 'unfinished';

/** Objects as files below a folder: written beside, flushed to the disk, then renamed, so that a crash leaves a whole file or none. */
export class FolderStore implements ObjectStore {
  private readonly root: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  async put(key: string, content: Readable, { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal }): Promise<StoredObject> {
    const [target, draft] = [this.fileOf(key), this.draftOf(key)];
    const measure = new Measure(maxBytes);
    try {
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
      await pipeline(content, measure, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { ...(signal && { signal }) });
      await this.publish(draft, target);
      return { key, size: measure.size, checksum: measure.checksum() };
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined); // `sweep` finds it again
      throw (error as { name?: unknown }).name === 'AbortError' ? error : failure(error);
    }
  }

  /** The new name itself must survive a power cut too: the folders are flushed after the rename. */
  private async publish(draft: string, target: string): Promise<void> {
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(draft, target);
    for (let folder = dirname(target); ; folder = dirname(folder)) {
      await flushFolder(folder);
      if (made === undefined || folder === dirname(made) || folder === this.root) return;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(this.fileOf(key)).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing() : failure(error);
    });
    return handle.createReadStream({ ...range, autoClose: true });
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    const found = await stat(this.fileOf(key)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw failure(error);
    });
    return found && { key, size: found.size, modifiedAt: found.mtime };
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.fileOf(key), { force: true }).catch((error: unknown) => Promise.reject(failure(error)));
  }

  async abandon(key: string): Promise<void> {
    await rm(this.draftOf(key), { force: true }).catch((error: unknown) => Promise.reject(failure(error)));
    await this.remove([key]);
  }

  async *list(): AsyncIterable<ObjectInfo> {
    const root = join(this.root, OBJECTS);
    for await (const file of filesBelow(root)) {
      const key = relative(root, file).split(sep).join('/');
      const info = await this.stat(key);
      if (info !== undefined) yield info; // removed meanwhile
    }
  }

  async sweep(before: Date): Promise<number> {
    let swept = 0;
    for await (const file of filesBelow(join(this.root, UNFINISHED))) {
      const found = await stat(file).catch(() => undefined);
      if (found === undefined || found.mtime >= before) continue;
      await rm(file, { force: true });
      swept += 1;
    }
    return swept;
  }

  directUrl(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  isUp(): Promise<boolean> {
    return mkdir(this.root, { recursive: true, mode: 0o700 }).then(() => access(this.root)).then(() => true, () => false);
  }

  /** One name for each key, so that what an upload left is found by its key. */
  private draftOf(key: string): string {
    assertKey(key);
    return join(this.root, UNFINISHED, key.replaceAll('/', '_'));
  }

  private fileOf(key: string): string {
    assertKey(key);
    return join(this.root, OBJECTS, ...key.split('/'));
  }
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder, { recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw failure(error);
  });
  for await (const entry of entries ?? []) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const failure = (error: unknown): Error => (isAppError(error) ? error : new StoreFailed(error));
