import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@satellite/kit/testing';
import { personIn } from '../../../shell/test/support/people.js';
import { organizationOn, planWith } from '../../../shell/test/support/plans.js';
import { STORAGE_KEY, useDrive, type DrivePerson } from '../support/drive.js';

const CHILD = join(import.meta.dirname, '..', 'fixtures', 'run-drive.ts');
const LONG = 600_000;
const NEVER = 1_000_000;
const drive = useDrive();
let ann: DrivePerson;
let compiled: string;
const children = new Set<ChildProcess>();

/** A Drive in a process of its own, on the database, the folder and the Shell of this one. */
class Victim {
  private port = 0;

  private constructor(private readonly child: ChildProcess) {}

  /** Loads the code, which is what takes long, and waits. */
  static async load(): Promise<Victim> {
    const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...drive().environment };
    const child = fork(CHILD, { execArgv: ['--import', 'tsx', '--conditions=development', '--no-warnings'], env, cwd: join(import.meta.dirname, '..', '..'), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.add(child);
    await messageOf(child);
    return new Victim(child);
  }

  async start(): Promise<void> {
    const answer = messageOf(this.child);
    this.child.send({ start: true });
    this.port = (await answer).port;
  }

  /** Gives an order and waits until it is carried out; answers the steps since the last `dieAt`. */
  async order(order: { dieAt: number } | { job: string } | { scan: true }): Promise<number> {
    const answer = messageOf(this.child);
    this.child.send(order, () => undefined); // who is dead says nothing
    return (await answer).steps;
  }

  /** False when it has died meanwhile. */
  disarm(): Promise<boolean> {
    return this.order({ dieAt: NEVER }).then(() => true, () => false);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The status of the answer; 0 when it died before. */
  async request(method: string, path: string, body?: object): Promise<number> {
    const isForm = body instanceof FormData;
    const init = { method, headers: { authorization: `Bearer ${ann.driveToken}`, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) }, ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${this.port}/api${path}`, init).catch(() => undefined);
    return response?.status ?? 0;
  }

  /** What it does after its answers is done, or it has died of it. */
  async settle(): Promise<void> {
    await eventually(async () => !this.isAlive || (await pending()) === 0, 60_000, 'the rest done');
  }

  async end(): Promise<void> {
    const gone = this.isAlive ? once(this.child, 'exit') : undefined;
    this.child.kill('SIGKILL');
    await gone;
    children.delete(this.child);
  }
}

/** The next thing it says; throws when it ends instead. */
async function messageOf(child: ChildProcess): Promise<{ port: number; steps: number }> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the Drive has ended');
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(child, 'exit', { signal }).then(([code, how]) => Promise.reject(new Error(`the Drive ended with ${code ?? how}`)));
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [{ port: number; steps: number }];
    return message;
  } finally {
    heard.abort();
  }
}

const pending = async (): Promise<number> => (await drive().query(`select 1 from uploads union all select 1 from object_removals where status = 'pending' union all select 1 from outbox where status = 'pending'`)).length;

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly folderId: string | null;
  readonly size: string;
  readonly checksum: string;
  readonly key: string;
}
const files = () => drive().query<StoredFile>('select id, name, folder_id as "folderId", size, checksum, object_key as key from files where organization_id = ?', [ann.organizationId]);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Time passes, somebody starts the service again, the jobs run. */
async function recover(next: Victim, isRunning: boolean): Promise<void> {
  await drive().query(`update uploads set begun_at = now() - interval '3 hours'`);
  for (const table of ['object_removals', 'outbox']) await drive().query(`update ${table} set next_attempt_at = now() - interval '1 second' where status = 'pending'`);
  await drive().query('update scheduled_jobs set lease_until = now()');
  if (!isRunning) await next.start();
  await next.disarm();
  await next.order({ job: 'uploads.expire' });
  await next.order({ scan: true });
  await eventually(async () => (await pending()) === 0, 60_000, 'everything cleared up');
}

/** Every file has its bytes, every byte has its file, and the Shell has counted just these. */
async function expectWhole(): Promise<void> {
  const rows = await files();
  expect(await drive().objects()).toEqual(rows.map(({ key }) => key).sort());
  for (const { key, checksum } of rows) expect(sha256(await buffer(await drive().drive.container.store.get(key)))).toBe(checksum);
  expect(await readdir(join(drive().folder, 'unfinished')).catch(() => [])).toEqual([]);
  const { data } = (await drive().shell.as(ann.token).get('/api/subscriptions/usage').expect(200)).body as { data: { limitKey: string; used: number }[] };
  expect(data.find(({ limitKey }) => limitKey === STORAGE_KEY)?.used ?? 0).toBe(rows.reduce((sum, { size }) => sum + Number(size), 0));
}

/**
 * Does the work again and again, each time in a process that dies one step (or `stride` steps) later, until one lives
 * through it; after each death the service is started again and `check` sees what has become of the work.
 */
async function dieEverywhere<Work>(stride: number, prepare: () => Promise<Work>, act: (victim: Victim, work: Work) => Promise<void>, check: (work: Work) => Promise<void>): Promise<number> {
  let victim = await Victim.load();
  await victim.start();
  for (let [step, deaths] = [1, 0]; ; step += stride, deaths += 1) {
    const loading = Victim.load();
    const work = await prepare();
    await victim.order({ dieAt: step });
    await act(victim, work);
    await victim.settle();
    const survived = await victim.disarm();
    const next = await loading;
    await recover(survived ? victim : next, survived);
    await expectWhole();
    await check(work);
    await victim.end();
    if (survived) return deaths;
    victim = next;
  }
}

beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'satellite-compiled-'));
  const organizationId = await organizationOn(drive().shell, await planWith(drive().shell, { limits: [{ limitKey: STORAGE_KEY, limitValue: -1, period: 'total' }] }));
  ann = await drive().arrive(await personIn(drive().shell, organizationId, { systemRole: 'ADMIN' }));
  for (const part of drive().drive.container.background.slice(1)) await part.stop(); // from here on only the victims work
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(compiled, { recursive: true, force: true });
});

/** A file whose upload was acknowledged. */
async function given(folderId?: string): Promise<{ id: string; name: string; checksum: string }> {
  const bytes = randomBytes(5000);
  const { id, name } = await drive().upload(ann, `${randomUUID()}`, bytes, folderId);
  return { id, name, checksum: sha256(bytes) };
}

describe('a process that is killed', () => {
  it('at any step of an upload loses no file that it has acknowledged, and leaks no byte', async () => {
    const deaths = await dieEverywhere(
      1,
      async () => ({ name: randomUUID(), bytes: randomBytes(100_000), status: 0 }),
      async (victim, work) => {
        const form = new FormData();
        form.append('file', new Blob([work.bytes]), work.name);
        work.status = await victim.request('POST', '/files/upload', form);
      },
      async ({ name, bytes, status }) => {
        const stored = (await files()).filter((file) => file.name === name);
        if (status === 201) expect(stored).toHaveLength(1);
        for (const { checksum } of stored) expect(checksum).toBe(sha256(bytes));
      },
    );
    expect(deaths).toBeGreaterThan(5);
  }, LONG);

  it('at any step of moves and deletions, of files and of folders, at the same time, has done each or has not', async () => {
    const deaths = await dieEverywhere(
      4,
      async () => {
        const [folder, target] = [await drive().makeFolder(ann), await drive().makeFolder(ann)];
        return { folder, target, inside: [await given(folder.id), await given(folder.id)], moved: await given(), deleted: await given(), kept: await given(), statuses: [0, 0, 0] };
      },
      async (victim, work) => {
        work.statuses = await Promise.all([victim.request('PATCH', `/files/${work.moved.id}`, { folderId: work.target.id }), victim.request('DELETE', `/files/${work.deleted.id}`), victim.request('DELETE', `/folders/${work.folder.id}`)]);
      },
      async ({ folder, target, inside, moved, deleted, kept, statuses: [move, remove, removeFolder] }) => {
        const now = new Map((await files()).map((file) => [file.id, file]));
        expect(now.get(kept.id)?.checksum).toBe(kept.checksum);
        expect([target.id, ...(move === 200 ? [] : [null])]).toContain(now.get(moved.id)?.folderId);
        if (remove === 204) expect(now.has(deleted.id)).toBe(false);
        const left = inside.filter(({ id }) => now.has(id)).length;
        expect(removeFolder === 204 ? [0] : [0, 2]).toContain(left);
        expect(await drive().query('select from folders where id = ?', [folder.id])).toHaveLength(left === 0 ? 0 : 1);
      },
    );
    expect(deaths).toBeGreaterThan(5);
  }, LONG);
});
