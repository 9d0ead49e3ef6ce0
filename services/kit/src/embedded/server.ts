import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, open, readFile, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerAccount } from './account.js';
import type { Binaries } from './binaries.js';
import { dataArgument, identity } from './cluster.js';
import { ServerDidNotStart } from './errors.js';
import { readPostmasterFile, removeSocketFolder, SOCKET_PREFIX } from './leftovers.js';
import { until } from './processes.js';

/** A socket address holds 107 bytes; `/.s.PGSQL.5432` and the random part of the folder need 40 of them. */
const LONGEST_SOCKET_ROOT = 60;
/** Recovery after a crash may have a lot to replay. */
const READY_TIMEOUT_MS = 120_000;
const LOG_KEEP_BYTES = 10 * 1024 * 1024;

export interface ServerPlan {
  readonly data: string;
  readonly log: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  /** Off only for data nobody will miss. */
  readonly durable: boolean;
  readonly maxConnections: number;
}

/** A running server that is our child process. */
export interface Server {
  readonly pid: number;
  readonly socketFolder: string;
  /** Settles when the server has ended, for whatever reason. */
  readonly ended: Promise<string>;
  /** Ends sessions, writes a checkpoint, removes the socket. Force: ends at once, the next start recovers. */
  stop(force?: boolean): Promise<void>;
}

/** Starts the server and waits until it takes connections. */
export async function startServer(plan: ServerPlan): Promise<Server> {
  const socketFolder = await makeSocketFolder(plan.account);
  const { child, logStart } = await spawnServer(plan, socketFolder);
  const ended = endOf(child);
  const killOnExit = (): void => {
    child.kill('SIGINT');
    rmSync(socketFolder, { recursive: true, force: true });
  };
  process.once('exit', killOnExit);
  void ended.then(() => process.off('exit', killOnExit));
  const stop = async (force = false): Promise<void> => {
    await stopChild(child, ended, force);
    await removeSocketFolder(socketFolder);
  };
  const outcome = await Promise.race([ended, readiness(child, plan.data)]);
  if (outcome !== 'ready') {
    await stop(true);
    throw new ServerDidNotStart(plan.data, await tail(plan.log, logStart), outcome);
  }
  return { pid: child.pid ?? -1, socketFolder, ended, stop };
}

async function makeSocketFolder(account: ServerAccount): Promise<string> {
  const root = tmpdir().length <= LONGEST_SOCKET_ROOT ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(root, SOCKET_PREFIX));
  if (account.switched) await chown(folder, account.uid, account.gid);
  return folder;
}

/**
 * A session of its own, so that Ctrl-C reaches only us and we stop things in order. Its log goes to a file and not
 * to a pipe: a server that outlives a killed parent must not choke on its own words.
 */
async function spawnServer(plan: ServerPlan, socketFolder: string): Promise<{ child: ChildProcess; logStart: number }> {
  if (((await stat(plan.log).catch(() => undefined))?.size ?? 0) > LOG_KEEP_BYTES) await rename(plan.log, `${plan.log}.1`);
  const log = await open(plan.log, 'a', 0o600);
  const logStart = (await log.stat()).size;
  const settings = Object.entries(settingsOf(plan, socketFolder)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(plan.binaries.postgres, ['-D', dataArgument(plan.data, plan.account), ...settings], {
    cwd: plan.data,
    detached: true,
    env: { TZ: 'UTC' },
    stdio: ['ignore', log.fd, log.fd],
    ...identity(plan.account),
  });
  await new Promise((resolve) => child.once('spawn', resolve).once('error', resolve));
  await log.close();
  return { child, logStart };
}

function settingsOf(plan: ServerPlan, socketFolder: string): Record<string, string | number> {
  const flush = plan.durable ? 'on' : 'off';
  return {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    max_connections: plan.maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: flush,
    synchronous_commit: flush,
    full_page_writes: flush,
    // In a server for tests nothing lives long enough to need it, and no test may drop a database while it is in there.
    autovacuum: flush,
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`it cannot be run (${error.message})`));
    child.once('exit', (code, name) => resolve(name ? `it was ended by ${name}` : `it ended with exit code ${code}`));
  });
}

async function readiness(child: ChildProcess, data: string): Promise<string> {
  const ready = await until(async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return true;
    const file = await readPostmasterFile(data);
    return file?.pid === child.pid && file.ready;
  }, READY_TIMEOUT_MS);
  if (!ready) return `it was not ready after ${READY_TIMEOUT_MS / 1000} s`;
  // An end and a readiness may be seen in the same moment; the end counts.
  return child.exitCode === null && child.signalCode === null && child.pid !== undefined ? 'ready' : endOf(child);
}

/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one. */
async function stopChild(child: ChildProcess, ended: Promise<string>, force: boolean): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [['SIGINT', 10_000], ['SIGQUIT', 5_000], ['SIGKILL', 5_000]];
  for (const [name, patience] of force ? steps.slice(1) : steps) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(name);
    const timer = new AbortController();
    await Promise.race([ended, until(async () => timer.signal.aborted, patience, 50)]);
    timer.abort();
  }
}

async function tail(log: string, from: number): Promise<string> {
  const text = (await readFile(log)).subarray(from).toString('utf8');
  return text.trim().split('\n').slice(-12).join('\n');
}
