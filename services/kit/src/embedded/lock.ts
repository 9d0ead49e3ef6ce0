import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, resolve } from 'node:path';
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
  const guard = await enterGuard(path);
  try {
    const holder = await holderOf(path);
    if (holder?.alive) throw new DataFolderInUse(dirname(path), holder.pid);
    await writeFile(`${path}.new`, mine, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } finally {
    await leaveGuard(guard);
  }
  return { release: () => releaseIfMine(path, mine) };
}

/**
 * Looking at a stale lock and replacing it must be one step, or two who heal it at once both win. The guard around
 * that step is a socket name without a file: the kernel gives it to one process and takes it back when that dies.
 */
async function enterGuard(path: string): Promise<Server> {
  const name = `\0satellite-lock-${createHash('sha256').update(resolve(path)).digest('hex')}`;
  for (;;) {
    const guard = createServer();
    try {
      guard.listen(name);
      await once(guard, 'listening');
      return guard;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await new Promise((wake) => setTimeout(wake, 5));
    }
  }
}

async function leaveGuard(guard: Server): Promise<void> {
  guard.close();
  await once(guard, 'close');
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
