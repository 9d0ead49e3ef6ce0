import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ServerDidNotStart } from './errors.js';
import { processesIn, signal, until } from './processes.js';

/** Prefix of the folders that hold our sockets; also how a left-over one is recognised. */
export const SOCKET_PREFIX = 'satellite-pg-';

/** What `postmaster.pid` says: pid of the server and the folder of its socket. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketFolder: string;
  readonly ready: boolean;
}

/** Undefined when there is no such file or it is not whole yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketFolder: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' };
}

/**
 * Ends what a killed run left behind: a server nobody owns any more, or processes that survive their killed
 * server. The orphan is stopped rather than adopted: a stop and a start take 0.1 s, and the new server is our
 * child, with our settings, whose end we notice. The caller holds the lock, so no live run is hit.
 */
export async function stopLeftovers(data: string, onStep: (step: string) => void = () => undefined): Promise<void> {
  const left = await readPostmasterFile(data);
  const running = await processesIn(data);
  if (running.length > 0) {
    onStep(`stopping the PostgreSQL server a killed run left behind (process ${left?.pid ?? running[0]})`);
    // Without its server the others end by themselves; a number in an old file may be anybody's today.
    if (left && running.includes(left.pid)) signal(left.pid, 'SIGINT');
    await waitUntilEmpty(data);
  }
  if (!left) return;
  await removeSocketFolder(left.socketFolder);
  // PostgreSQL would refuse to start when the old number now belongs to any process of its user, say after a reboot.
  await rm(join(data, 'postmaster.pid'), { force: true });
}

async function waitUntilEmpty(data: string): Promise<void> {
  const empty = async (): Promise<boolean> => (await processesIn(data)).length === 0;
  if (await until(empty, 10_000)) return;
  for (const pid of await processesIn(data)) signal(pid, 'SIGQUIT');
  if (await until(empty, 5_000)) return;
  throw new ServerDidNotStart(data, '', `processes ${(await processesIn(data)).join(', ')} of an earlier server do not end`);
}

/** Only folders that we made ourselves are removed. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (basename(folder).startsWith(SOCKET_PREFIX)) await rm(folder, { recursive: true, force: true });
}
