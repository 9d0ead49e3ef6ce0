import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDatabase } from '../db/index.js';
import { chooseAccount, currentUser } from './account.js';
import { prepareBinaries } from './binaries.js';
import { checkCluster, createCluster, isVacant, ownerOf } from './cluster.js';
import { stopLeftovers } from './leftovers.js';
import { lockFile, type FileLock } from './lock.js';
import { startServer, type Server } from './server.js';

const SUPERUSER = 'postgres';

export interface EmbeddedPostgresOptions {
  /** Everything of this server: cluster, log and lock. Made when missing. */
  readonly folder: string;
  /** Writes reach the disk before a commit returns. False only in tests. Default true. */
  readonly durable?: boolean;
  readonly maxConnections?: number;
  /** Told what begins now, in words for a person who waits. */
  readonly onStep?: (step: string) => void;
}

export interface EmbeddedPostgres {
  readonly pid: number;
  /** Connection URL of the superuser. */
  readonly adminUrl: string;
  /** Settles with the reason when the server has ended, also when nobody asked it to. */
  readonly ended: Promise<string>;
  /** Makes the database and the role of the same name that owns it, unless they exist; returns the connection URL. */
  createDatabase(name: string): Promise<string>;
  /** Stops the server and gives the folder back. Force: at once, the next start recovers. */
  stop(force?: boolean): Promise<void>;
}

/**
 * Starts a private PostgreSQL server on a folder: finds and prepares the binaries, makes the cluster at the first
 * start, heals what a killed run left, and refuses with a clear error a folder that is in use or damaged.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFile(join(folder, 'lock'));
  try {
    return embed(await launch(folder, options), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function launch(folder: string, options: EmbeddedPostgresOptions): Promise<Server> {
  const { durable = true, maxConnections = 100, onStep = () => undefined } = options;
  const data = join(folder, 'data');
  const vacant = await isVacant(data);
  const account = await chooseAccount(currentUser(), vacant ? undefined : await ownerOf(data));
  const binaries = await prepareBinaries(account, onStep);
  if (vacant) {
    onStep('creating the database cluster');
    await createCluster(data, binaries, account, durable);
  } else {
    await checkCluster(data, binaries.major, account);
    await stopLeftovers(data, onStep);
  }
  onStep(`starting PostgreSQL ${binaries.major}`);
  return startServer({ data, log: join(folder, 'server.log'), binaries, account, durable, maxConnections });
}

function embed(server: Server, lock: FileLock): EmbeddedPostgres {
  const adminUrl = socketUrl(server.socketFolder, SUPERUSER, 'postgres');
  return {
    pid: server.pid,
    adminUrl,
    ended: server.ended,
    createDatabase: async (name) => {
      await ensureDatabase(adminUrl, { database: name, role: name });
      return socketUrl(server.socketFolder, name, name);
    },
    stop: async (force) => {
      await server.stop(force);
      await lock.release();
    },
  };
}

/**
 * No passwords: the socket lies in a folder only this user can enter, and whoever can enter it can read the data
 * files and any password file beside them as well. Roles still keep one service out of another's database by mistake.
 * The socket folder is written as an escaped host name, the one form that pg and MikroORM both understand.
 */
function socketUrl(socketFolder: string, role: string, database: string): string {
  return `postgresql://${role}@${encodeURIComponent(socketFolder)}/${database}`;
}
