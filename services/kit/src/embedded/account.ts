import { readFile } from 'node:fs/promises';
import { NoUnprivilegedAccount } from './errors.js';

/** Who the server runs as. PostgreSQL refuses to run as root, so root hands it to somebody else. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
  /** True when we are root and give up our rights for the server. */
  readonly switched: boolean;
}

/**
 * An ordinary user runs the server itself. Root runs an existing cluster as the cluster's owner (so that data
 * made by an ordinary user stays usable) and a new one as `nobody`, which exists everywhere.
 */
export async function chooseAccount(me: { uid: number; gid: number }, dataOwner: { uid: number; gid: number } | undefined, passwd = '/etc/passwd'): Promise<ServerAccount> {
  if (me.uid !== 0) return { ...me, switched: false };
  if (dataOwner && dataOwner.uid !== 0) return { ...dataOwner, switched: true };
  const line = (await readFile(passwd, 'utf8').catch(() => '')).split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid || uid === '0') throw new NoUnprivilegedAccount(`${passwd} has no user "nobody"`);
  return { uid: Number(uid), gid: Number(gid), switched: true };
}

/** The user and group of this process. */
export function currentUser(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}
