import pg from 'pg';

/** A database, and the role of its own that owns it. */
export interface OwnedDatabase {
  readonly database: string;
  readonly role: string;
  /** Without one the role can only come where the server trusts it. */
  readonly password?: string;
}

const NAME = /^[a-z][a-z0-9_]{0,50}$/;
/** Any constant works; services that start together make their databases one after the other. */
const ENSURE_LOCK = 7_316_002;

/** Makes the database and its role unless they exist, gives the role its password and shuts everybody else out. */
export async function ensureDatabase(adminUrl: string, wanted: OwnedDatabase): Promise<void> {
  for (const name of [wanted.database, wanted.role]) if (!NAME.test(name)) throw new TypeError(`Not a name for a database or role: ${name}`);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ENSURE_LOCK]); // ends with the session
    await ensure(client, wanted);
  } finally {
    await client.end();
  }
}

async function ensure(client: pg.Client, { database, role, password }: OwnedDatabase): Promise<void> {
  if (await isMissing(client, 'select 1 from pg_roles where rolname = $1', role)) await client.query(`create role "${role}" login`);
  if (password !== undefined) await client.query(`alter role "${role}" password ${pg.escapeLiteral(password)}`);
  if (await isMissing(client, 'select 1 from pg_database where datname = $1', database)) {
    await client.query(`grant "${role}" to current_user`); // who is no superuser gives databases only to roles of which they are a member
    await client.query(`create database "${database}" owner "${role}"`);
  }
  await client.query(`revoke all on database "${database}" from public`);
}

async function isMissing(client: pg.Client, sql: string, name: string): Promise<boolean> {
  return (await client.query(sql, [name])).rowCount === 0;
}

/** What PostgreSQL says when waiting does not help: wrong password, no such role, no such database. */
const HOPELESS = /^(28|3D)/;

/**
 * Waits until the server takes connections.
 * @throws the last refusal when the time is over, and at once one that time does not change
 */
export async function untilDatabaseAnswers(url: string, { limitMs, pauseMs = 1000 }: { readonly limitMs: number; readonly pauseMs?: number }): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const refusal = await refusalOf(url);
    if (refusal === undefined) return;
    if (Date.now() > deadline || HOPELESS.test(refusal.code ?? '')) throw refusal;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function refusalOf(url: string): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // told by the promise as well
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}
