import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { keyOf, type CustomResource, type Key } from '../../runtime/objects.js';
import { writeAtomically } from './files.js';

/** Hidden folder beside the manifests: what an API server would keep of each object (uid, generation, finalizers, status). */
export const STATE_FOLDER = '.satellite-state';

/** One object and the manifest it came from. */
export interface StoredObject<T> {
  readonly file: string;
  readonly object: T;
}

/** Objects as files, one a file, so that a write costs the same however many there are. */
export class ObjectFiles<T extends CustomResource> {
  private readonly folder: string;
  private readonly writes = new Map<Key, Promise<void>>();

  constructor(
    directory: string,
    private readonly logger: Logger,
  ) {
    this.folder = join(directory, STATE_FOLDER);
  }

  /** Every object that was saved. A file that cannot be read is left alone and counts as absent. */
  async load(): Promise<StoredObject<T>[]> {
    await mkdir(this.folder, { recursive: true });
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.json'));
    const loaded = await Promise.all(names.map((name) => this.loadOne(join(this.folder, name))));
    return loaded.filter((stored) => stored !== undefined);
  }

  /** Resolves when the object is on disk. Writes of one object keep their order. */
  save(stored: StoredObject<T>): Promise<void> {
    const key = keyOf(stored.object);
    return this.inOrder(key, () => writeAtomically(this.fileOf(key), `${JSON.stringify(stored, null, 1)}\n`));
  }

  remove(key: Key): Promise<void> {
    return this.inOrder(key, () => rm(this.fileOf(key), { force: true }));
  }

  /** False when somebody took the folder away: then nothing that is missing counts as deleted. */
  async present(): Promise<boolean> {
    return (await stat(this.folder).catch(() => undefined))?.isDirectory() ?? false;
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.writes.values());
  }

  private inOrder(key: Key, write: () => Promise<void>): Promise<void> {
    const before = this.writes.get(key) ?? Promise.resolve();
    const after = before.catch(() => undefined).then(write);
    this.writes.set(key, after);
    const settled = (): void => {
      if (this.writes.get(key) === after) this.writes.delete(key);
    };
    after.then(settled, settled);
    return after;
  }

  private fileOf(key: Key): string {
    return join(this.folder, `${key.replace('/', '_')}.json`);
  }

  private async loadOne(file: string): Promise<StoredObject<T> | undefined> {
    try {
      const stored = JSON.parse(await readFile(file, 'utf8')) as StoredObject<T>;
      if (typeof stored.file !== 'string' || typeof stored.object?.metadata?.uid !== 'string') throw new Error('it has an unknown shape');
      return stored;
    } catch (error) {
      this.logger.warn({ file, detail: messageOf(error) }, 'a state file cannot be read; its object is taken as new');
      return undefined;
    }
  }
}

/**
 * The uid of an object of a folder: the same for the same namespace and name, so that the registry still knows the
 * object when the state is lost. In the form of a version 8 (free form) UUID.
 */
export function stableUid(key: Key): string {
  const hex = createHash('sha256').update(`satellite-directory-source\n${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
