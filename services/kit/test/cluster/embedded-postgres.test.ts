import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@satellite/kit/embedded';
import { identityOf } from '../../src/embedded/processes.js';

const LONG = 90_000;
const CHILD = join(import.meta.dirname, '..', 'fixtures', 'run-postgres.ts');
let pristine: string;
let folder: string;
const running: { stop(force?: boolean): Promise<void> }[] = [];
const children: ChildProcess[] = [];

// initdb takes a second, a copy of its result a twentieth of that; cp keeps the owner, which matters when root runs this.
beforeAll(async () => {
  pristine = await mkdtemp(join(tmpdir(), 'satellite-embedded-'));
  await (await startEmbeddedPostgres({ folder: pristine, durable: true })).stop();
}, LONG);

afterAll(() => rm(pristine, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satellite-embedded-'));
  execFileSync('cp', ['-a', join(pristine, 'data'), folder]);
}, LONG);

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop(true)));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  // Ends a server that a killed child left, when the test did not.
  await start().then((server) => server.stop(true), () => undefined);
  running.length = 0;
  await rm(folder, { recursive: true, force: true });
}, LONG);

async function start(steps: string[] = [], durable = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, durable, onStep: (step) => steps.push(step) });
  running.push(server);
  return server;
}

/** The server in another process; that process, the server's pid and a connection URL. */
async function startElsewhere(): Promise<{ child: ChildProcess; pid: number; url: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const [, pid, url] = line.toString().trim().split(' ');
  return { child, pid: Number(pid), url: url! };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Several statements give several results; the last one counts.
    const result = [await client.query<Record<string, unknown>>(sql)].flat().at(-1);
    return (result?.rows ?? []).map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

/** A killed process that nobody has waited for yet does not count. */
async function isAlive(pid: number): Promise<boolean> {
  return (await identityOf(pid)) !== undefined;
}

describe('embedded PostgreSQL', () => {
  it('makes one database and one role a service, and keeps the data over a restart', async () => {
    const first = await start();
    const url = await first.createDatabase('notes');
    await query(url, "create table notes (text text); insert into notes values ('kept')");
    expect(await query(url, 'select current_user')).toEqual(['notes']);
    await first.stop();
    expect(await isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await query(await second.createDatabase('notes'), 'select text from notes')).toEqual(['kept']);
  }, LONG);

  it('keeps one service out of the database of another, and listens on no port', async () => {
    const server = await start();
    const notes = await server.createDatabase('notes');
    await server.createDatabase('bills');
    await expect(query(notes.replace(/notes$/, 'bills'), 'select 1')).rejects.toThrow(/permission denied for database/);
    expect(await query(server.adminUrl, 'show listen_addresses')).toEqual(['']);
    const socketFolder = String((await query(server.adminUrl, 'show unix_socket_directories'))[0]);
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
  }, LONG);

  it('never runs as root, and works in a folder that its own account cannot reach by path', async () => {
    const { pid } = await start();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const { uid } = await stat(`/proc/${pid}`);
    expect(uid).toBe(process.getuid!() === 0 ? (await stat(join(folder, 'data'))).uid : process.getuid!());
    expect(uid).not.toBe(0);
  }, LONG);

  it('sorts by code point in UTF-8, knows Unicode case, and has ICU collations for lists', async () => {
    const { adminUrl } = await start();
    expect(await query(adminUrl, "select string_agg(t, '' order by t) from unnest(array['b','A','a','B']) t")).toEqual(['ABab']);
    expect(await query(adminUrl, `select string_agg(t, '' order by t collate "und-x-icu") from unnest(array['b','A','a','B']) t`)).toEqual(['aAbB']);
    expect(await query(adminUrl, "select upper('é') || getdatabaseencoding()")).toEqual(['ÉUTF8']);
  }, LONG);

  it('ends the server that a parent killed by SIGKILL left behind, and keeps its data', async () => {
    const left = await startElsewhere();
    await query(left.url, "create table notes (text text); insert into notes values ('kept')");
    await kill(left.child);
    expect(await isAlive(left.pid)).toBe(true);
    const steps: string[] = [];
    const server = await start(steps);
    expect(await isAlive(left.pid)).toBe(false);
    expect(steps[0]).toContain(`(process ${left.pid})`);
    expect(await query(await server.createDatabase('notes'), 'select text from notes')).toEqual(['kept']);
    await expect(stat(decodeURIComponent(new URL(left.url).hostname))).rejects.toThrow('ENOENT');
  }, LONG);

  it('recovers after the server itself was killed by SIGKILL, and tells the owner that it ended', async () => {
    const first = await start([], true);
    const url = await first.createDatabase('notes');
    await query(url, "create table notes (text text); insert into notes values ('kept')");
    process.kill(first.pid, 'SIGKILL');
    expect(await first.ended).toBe('it was ended by SIGKILL');
    await first.stop();
    const second = await start();
    expect(await query(await second.createDatabase('notes'), 'select text from notes')).toEqual(['kept']);
  }, LONG);

  it('refuses a second start while the first runs and names its process', async () => {
    const other = await startElsewhere();
    await expect(start()).rejects.toMatchObject({ code: 'embedded.data_folder_in_use', pid: other.child.pid, message: expect.stringContaining(`process ${other.child.pid}`) });
    expect(await query(other.url, 'select 1')).toEqual([1]);
  }, LONG);

  it('is not fooled by a lock and a postmaster.pid that name a living stranger', async () => {
    const { uid, gid } = await stat(join(folder, 'data'));
    // Of the server's own user: PostgreSQL itself ignores strangers of other users only.
    const stranger = spawn('sleep', ['60'], process.getuid!() === 0 ? { uid, gid } : {});
    children.push(stranger);
    await writeFile(join(folder, 'lock'), `${stranger.pid} an-earlier-boot:1\n`);
    await writeFile(join(folder, 'data', 'postmaster.pid'), `${stranger.pid}\n${join(folder, 'data')}\n1\n5432\n/nowhere\n\n0 0\nready\n`);
    await chown(join(folder, 'data', 'postmaster.pid'), uid, gid);
    const server = await start();
    expect(await query(server.adminUrl, 'select 1')).toEqual([1]);
    expect(await isAlive(stranger.pid!)).toBe(true);
  }, LONG);

  it('starts over when initdb was killed in the middle', async () => {
    await rm(join(folder, 'data'), { recursive: true });
    await mkdir(join(folder, 'initdb-killed', 'base'), { recursive: true });
    await writeFile(join(folder, 'initdb-killed', 'PG_VERSION'), '18\n');
    const server = await start();
    expect(await query(server.adminUrl, 'select 1')).toEqual([1]);
    expect((await readdir(folder)).filter((name) => name.startsWith('initdb-'))).toEqual([]);
  }, LONG);
});

describe('a damaged data folder', () => {
  const damage: [string, string, () => Promise<void>, RegExp][] = [
    ['without PG_VERSION', 'embedded.data_folder_corrupt', () => rm(join(folder, 'data', 'PG_VERSION')), /PG_VERSION is missing/],
    ['of another major version', 'embedded.data_folder_version', () => writeFile(join(folder, 'data', 'PG_VERSION'), '15\n'), /written by PostgreSQL 15, this server is PostgreSQL 18/],
    ['with a cut control file', 'embedded.data_folder_corrupt', () => truncate(join(folder, 'data', 'global', 'pg_control'), 100), /pg_control is 100 bytes long/],
    ['with a control file of noise', 'embedded.server_did_not_start', () => writeFile(join(folder, 'data', 'global', 'pg_control'), Buffer.alloc(8192, 7)), /PostgreSQL did not start/],
    ['without its catalog', 'embedded.server_did_not_start', () => rm(join(folder, 'data', 'pg_wal'), { recursive: true }), /"pg_wal/],
    ['that is a file', 'embedded.data_folder_corrupt', async () => { await rm(join(folder, 'data'), { recursive: true }); await writeFile(join(folder, 'data'), ''); }, /it is not a folder/],
  ];

  it.each(damage)('%s is refused as %s with what to do, and left as it is', async (_title, code, harm, words) => {
    await harm();
    const before = await listing();
    const error = await start().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(error).toMatchObject({ message: expect.stringContaining('mv ') });
    expect(await listing()).toEqual(before);
  }, LONG);

  async function listing(): Promise<string[]> {
    return (await readdir(folder, { recursive: true })).filter((name) => !/^(lock|server\.log)/.test(name)).sort();
  }

  it('is usable again when it was repaired: the refusal gave the lock back', async () => {
    const control = join(folder, 'data', 'global', 'pg_control');
    const whole = await readFile(control);
    await truncate(control, 100);
    await expect(start()).rejects.toMatchObject({ code: 'embedded.data_folder_corrupt' });
    await writeFile(control, whole);
    await chmod(control, 0o600);
    expect(await query((await start()).adminUrl, 'select 1')).toEqual([1]);
  }, LONG);
});
