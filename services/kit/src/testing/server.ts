import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { holderOf, startEmbeddedPostgres, stopLeftovers } from '../embedded/index.js';
import { announceServer, givenServer } from './env.js';

const FOLDER_PREFIX = 'satellite-tests-';
const ROLE = 'tests';

/** A server for one run of the tests. */
export interface TestServer {
  readonly url: string;
  /** Removes the databases of the run; stops the server when we started it. */
  stop(): Promise<void>;
}

/**
 * One PostgreSQL for the whole run: the one of TEST_DATABASE_URL, else an embedded one that trades durability for
 * speed. Tests connect as a role without superuser rights, as services do. Workers find it in their environment.
 */
export async function startTestServer(): Promise<TestServer> {
  const run = randomBytes(4).toString('hex');
  const given = givenServer();
  const server = given === undefined ? await startOwnServer() : { url: given, stop: () => dropRun(given, run) };
  announceServer(server.url, run);
  return {
    url: server.url,
    stop: async () => {
      announceServer(given, undefined);
      await server.stop();
    },
  };
}

async function startOwnServer(): Promise<TestServer> {
  await sweepAbandoned();
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
  const server = await startEmbeddedPostgres({ folder, durable: false, maxConnections: 200 });
  await query(server.adminUrl, `create role ${ROLE} login createdb createrole`);
  return {
    url: server.adminUrl.replace('//postgres@', `//${ROLE}@`),
    stop: async () => {
      await server.stop(true);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the servers of killed runs and removes their folders. A folder without a lock may be a run that begins. */
async function sweepAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const holder = await holderOf(join(folder, 'lock'));
    if (!holder || holder.alive) continue;
    await stopLeftovers(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}

async function dropRun(url: string, run: string): Promise<void> {
  const { rows } = await query(url, `select datname from pg_database where datname like '%\\_${run}\\_%'`);
  for (const { datname } of rows) await query(url, `drop database if exists "${datname}" with (force)`);
}

/** One statement on a connection of its own. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql, values);
  } finally {
    await client.end();
  }
}

/** Runs the work while no other connection of this server holds the lock of that name. */
export async function withLock(url: string, name: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    await work();
  } finally {
    await client.end();
  }
}
