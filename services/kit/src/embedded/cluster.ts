import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerAccount } from './account.js';
import type { Binaries } from './binaries.js';
import { DataFolderCorrupt, DataFolderForeign, DataFolderVersion, ServerDidNotStart } from './errors.js';

const CONTROL_FILE_BYTES = 8192;
const DRAFT_PREFIX = 'initdb-';

/** Owner of the cluster folder, or undefined when there is no cluster yet. */
export async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(folder).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

/** True when the folder does not exist or is empty: then, and only then, a cluster may be made there. */
export async function isVacant(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTDIR') throw new DataFolderCorrupt(folder, 'it is not a folder');
    if (code === 'EACCES') throw new DataFolderForeign(folder, (await ownerOf(folder))?.uid ?? -1);
    throw error;
  }
}

/** Looks for damage that PostgreSQL would report in words nobody understands. Changes nothing. */
export async function checkCluster(folder: string, major: string, account: ServerAccount): Promise<void> {
  const owner = await ownerOf(folder);
  if (owner && owner.uid !== account.uid) throw new DataFolderForeign(folder, owner.uid);
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) throw new DataFolderCorrupt(folder, 'PG_VERSION is missing');
  if (version.trim() !== major) throw new DataFolderVersion(folder, version.trim(), major);
  const control = await stat(join(folder, 'global', 'pg_control')).catch(() => undefined);
  if (control?.size !== CONTROL_FILE_BYTES) throw new DataFolderCorrupt(folder, `global/pg_control is ${control ? `${control.size} bytes long instead of ${CONTROL_FILE_BYTES}` : 'missing'}`);
}

/**
 * Makes a cluster in a draft folder and renames it, so that a killed `initdb` never leaves half a cluster.
 * Drafts of killed runs hold no data and are removed; the caller holds the lock.
 */
export async function createCluster(folder: string, binaries: Binaries, account: ServerAccount, durable: boolean): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const draft = await mkdtemp(join(parent, DRAFT_PREFIX));
  if (account.switched) await chown(draft, account.uid, account.gid);
  await runInitdb(draft, folder, binaries, account, durable);
  await rename(draft, folder);
}

/**
 * UTF-8 with the built-in C.UTF-8 locale: the order of code points, the same on every machine and after every
 * upgrade of libc or ICU (an index never goes bad), with Unicode upper and lower case. Text that people read in
 * sorted lists asks for it (`collate "und-x-icu"`). Trust is safe because only the private socket is listened on.
 */
async function runInitdb(draft: string, folder: string, binaries: Binaries, account: ServerAccount, durable: boolean): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['-D', dataArgument(draft, account), '--username=postgres', '--auth=trust', '--no-instructions', ...locale, ...(durable ? [] : ['--no-sync'])];
  try {
    await promisify(execFile)(binaries.initdb, args, { cwd: draft, env: {}, ...identity(account) });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new ServerDidNotStart(folder, `${stdout}\n${stderr}`.trim(), `initdb in ${basename(draft)} failed (${String(error).split('\n')[0]})`);
  }
}

/**
 * How the server is told where its data is. An account that is not ours may be unable to walk the path to the
 * folder (a checkout below a closed home). Its working directory is set before the rights are given up, and
 * Linux opens /proc/self/cwd without walking that path.
 */
export function dataArgument(folder: string, account: ServerAccount): string {
  return account.switched ? '/proc/self/cwd' : folder;
}

/** Spawn options that give up root's rights. */
export function identity(account: ServerAccount): { uid: number; gid: number } | Record<string, never> {
  return account.switched ? { uid: account.uid, gid: account.gid } : {};
}
