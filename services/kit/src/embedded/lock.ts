import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataFolderInUse } from './errors.js';
import { identityOf } from './processes.js';

/** A held lock; release is safe to call twice. */
export interface FileLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly text: string;
  readonly alive: boolean;
}

/**
 * Takes the lock file, or throws DataFolderInUse with the pid of the live holder. The file names the holder by
 * pid, boot and start time, so what a killed run left behind is recognised as stale, even when its pid is in use again.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const mine = `${process.pid} ${await identityOf(process.pid)}\n`;
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    while (!(await linkExclusively(draft, path))) await removeIfStale(path);
  } finally {
    await rm(draft, { force: true });
  }
  return { release: () => releaseIfMine(path, mine) };
}

/** A hard link appears with its whole content or not at all: nobody ever reads a half-written lock. */
async function linkExclusively(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfStale(path: string): Promise<void> {
  const holder = await holderOf(path);
  if (!holder) return;
  if (holder.alive) throw new DataFolderInUse(dirname(path), holder.pid);
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Between our look and our rename another process may have healed the lock and taken it: then give it back.
  if ((await readFile(aside, 'utf8')) !== holder.text) await linkExclusively(aside, path);
  await rm(aside, { force: true });
}

async function releaseIfMine(path: string, mine: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === mine) await rm(path, { force: true });
}

/** Who holds the lock; undefined when nobody does. */
export async function holderOf(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, identity] = text.trim().split(' ');
  const alive = identity !== undefined && (await identityOf(Number(pid))) === identity;
  return { pid: Number(pid), text, alive };
}
