import { randomBytes } from 'node:crypto';
import { testServer } from './env.js';
import { query, withLock } from './server.js';

/** What a service's databases are cloned from. */
export interface DatabaseTemplate {
  /** Short lower-case name, usually the service's. */
  readonly name: string;
  /** Brings an empty database to the state every test starts from: migrations and fixed seed rows. Closes what it opens. */
  readonly migrate: (url: string) => Promise<void>;
}

/** A database of one test file. */
export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends the sessions in it and drops it. */
  drop(): Promise<void>;
}

/** A fresh copy of the migrated template: 50 to 100 ms, whatever the migrations cost. */
export async function cloneDatabase(template: DatabaseTemplate): Promise<TestDatabase> {
  const { url, run, worker } = testServer();
  const source = await ensureTemplate(template);
  const name = `${template.name}_${run}_w${worker}_${randomBytes(4).toString('hex')}`;
  await query(url, `create database "${name}" template "${source}" strategy file_copy`);
  return { name, url: urlOf(url, name), drop: () => dropDatabase(name) };
}

/** An empty database, for tests of the migrations themselves. */
export function emptyDatabase(name: string): Promise<TestDatabase> {
  return cloneDatabase({ name: `${name}_empty`, migrate: () => Promise.resolve() });
}

/** Drops a database although sessions may still be in it. */
export async function dropDatabase(name: string): Promise<void> {
  await query(testServer().url, `drop database if exists "${name}" with (force)`);
}

/**
 * Clones the template before the tests of a file and drops the clone after them.
 * @returns an object whose `url` can be read from `beforeAll` on
 */
export function useDatabase(template: DatabaseTemplate): { readonly url: string } {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await cloneDatabase(template);
  });
  afterAll(async () => {
    await database?.drop();
  });
  return {
    get url() {
      if (!database) throw new Error('The database is there from beforeAll on.');
      return database.url;
    },
  };
}

/**
 * Makes the template once a run, whichever worker asks first; the others wait at an advisory lock. It gets its name
 * only when it is whole, so a failed migration is tried again and never cloned.
 */
async function ensureTemplate(template: DatabaseTemplate): Promise<string> {
  const { url, run } = testServer();
  const name = `${template.name}_${run}_template`;
  if (await exists(url, name)) return name;
  const draft = `${template.name}_${run}_draft`;
  await withLock(url, name, async () => {
    if (await exists(url, name)) return;
    await query(url, `drop database if exists "${draft}" with (force)`);
    await query(url, `create database "${draft}" template template0`);
    await template.migrate(urlOf(url, draft));
    await query(url, `alter database "${draft}" rename to "${name}"`);
  });
  return name;
}

async function exists(url: string, name: string): Promise<boolean> {
  return (await query(url, 'select 1 from pg_database where datname = $1', [name])).rowCount === 1;
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
