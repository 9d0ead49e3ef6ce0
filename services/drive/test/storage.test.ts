import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { EVENT_STREAM } from '@satellite/kit/events';
import { FolderStore, StoreFailed } from '@satellite/kit/storage';
import { eventually } from '@satellite/kit/testing';
import { personIn, systemRole } from '../../shell/test/support/people.js';
import { organizationOn, planWith } from '../../shell/test/support/plans.js';
import { STORAGE_KEY, useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive({ APP_ENV_FREE_STORAGE_BYTES: '100' });
const as = (person: DrivePerson) => drive().as(person.driveToken);
const put = (person: DrivePerson, bytes: number, name = `${randomUUID()}`, at = drive()) => at.as(person.driveToken).post('/api/files/upload').attach('file', Buffer.alloc(bytes, 1), name);

/** Somebody of a new organization whose plan allows so many bytes. */
async function planned(limitValue: number): Promise<DrivePerson> {
  const organizationId = await organizationOn(drive().shell, await planWith(drive().shell, { limits: [{ limitKey: STORAGE_KEY, limitValue, period: 'total' }] }));
  return drive().arrive(await personIn(drive().shell, organizationId, { systemRole: 'ADMIN' }));
}

/** As the Shell counts it. */
async function usedBy(person: DrivePerson): Promise<number> {
  const { data } = (await drive().shell.as(person.token).get('/api/subscriptions/usage').expect(200)).body as { data: { limitKey: string; used: number }[] };
  return data.find(({ limitKey }) => limitKey === STORAGE_KEY)?.used ?? 0;
}
const becomes = (person: DrivePerson, bytes: number): Promise<void> => eventually(async () => (await usedBy(person)) === bytes, 15_000, `${bytes} bytes counted`);
/** Nobody waits for the next try. */
const hurryRemovals = () => drive().query(`update object_removals set next_attempt_at = now() - interval '1 second' where status = 'pending' and next_attempt_at < now() + interval '30 seconds'`);
const objectsOf = async (person: DrivePerson): Promise<string[]> => (await drive().objects()).filter((key) => key.startsWith(person.organizationId));

describe('the plan of an organization', () => {
  it('allows so many bytes, to the last one, and says what is used when it refuses more', async () => {
    const ann = await planned(1000);
    await put(ann, 600).expect(201);
    const { body } = await put(ann, 401).expect(429);
    expect(body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { reason: 'storage.full', limit: 1000, used: 600, remaining: 400 } });
    await put(ann, 400).expect(201);
    await put(ann, 1).expect(429);
    await put(ann, 0).expect(201);
    expect(await usedBy(ann)).toBe(1000);
    await eventually(async () => (await objectsOf(ann)).length === 3, 15_000, 'the refused removed');
    expect((await as(ann).get('/api/storage').expect(200)).body.data).toEqual({ files: 3, bytes: 1000 });
  });

  it('gets back what is deleted, alone or with its folder, and what failed', async () => {
    const ann = await planned(1000);
    const folder = await drive().makeFolder(ann);
    const alone = await drive().upload(ann, 'alone', Buffer.alloc(100));
    await drive().upload(ann, 'inside', Buffer.alloc(300), folder.id);
    await put(ann, 50, 'alone').expect(409);
    await put(ann, 50).field('folderId', randomUUID()).expect(404);
    await becomes(ann, 400);
    await as(ann).delete(`/api/files/${alone.id}`).expect(204);
    await becomes(ann, 300);
    await as(ann).delete(`/api/folders/${folder.id}`).expect(204);
    await becomes(ann, 0);
  });

  it('is never passed by many at the same time', async () => {
    const [ann, other] = [await planned(1000), await drive().second()];
    const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => put(ann, 300, undefined, n % 2 === 0 ? drive() : other)));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(9).fill(429)]);
    await becomes(ann, 900);
    await eventually(async () => (await objectsOf(ann)).length === 3, 15_000, 'the refused removed');
  });

  it('counts also for people whom only Drive lets write: on the authority of its administrators, as long as they have it', async () => {
    const ann = await planned(1000);
    const bob = await drive().colleague(ann);
    await put(bob, 600).expect(201);
    await put(bob, 600).expect(429);
    expect(await usedBy(ann)).toBe(600);
    const eve = await personIn(drive().shell, ann.organizationId, { systemRole: 'ADMIN' });
    await drive().shell.as(eve.token).delete(`/api/users/${ann.id}/roles/${await systemRole(drive().shell, 'ADMIN')}`).expect(204);
    await eventually(async () => (await put(bob, 1)).status === 403, 5000, 'the authority gone');
    const { data: before } = (await as(ann).get('/api/storage').expect(200)).body;
    expect((await put(bob, 1).expect(403)).body.error.details).toEqual({ reason: 'auth.permission_denied', permission: 'drive.files:write' });
    expect((await as(ann).get('/api/storage').expect(200)).body.data).toEqual(before);
  });

  it('that says nothing of storage allows what the deployment gives for nothing', async () => {
    const ann = await drive().owner();
    await put(ann, 60).expect(201);
    const refused = await Promise.all(Array.from({ length: 4 }, () => put(ann, 30)));
    expect(refused.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429]);
    expect((await put(ann, 11).expect(429)).body.error.details).toEqual({ reason: 'storage.full', limit: 100, used: 90, remaining: 10 });
    await put(ann, 10).expect(201);
  });
});

describe('a store that fails', () => {
  it('before, while or after the bytes are written is 500 without the cause, and leaves neither row nor count nor object', async () => {
    const ann = await planned(1000);
    const [broken, late] = [await drive().second({ APP_ENV_STORAGE_FOLDER: '/dev/null' }), await drive().second()];
    const { store } = late.drive.container;
    const write = store.put.bind(store);
    store.put = async (key, content, options) => {
      await write(key, content, options);
      throw new StoreFailed(new Error('the answer got lost'));
    };
    for (const failing of [broken, late]) {
      const { body } = await put(ann, 100, 'x', failing).expect(500);
      expect(body.error).toMatchObject({ code: 'INTERNAL', details: { reason: 'storage.failed' } });
      expect(JSON.stringify(body)).not.toMatch(/dev.null|lost|ENOTDIR/);
    }
    expect((await as(ann).get('/api/files').expect(200)).body.total).toBe(0);
    await eventually(async () => {
      await hurryRemovals(); // the process whose store is broken tries them too
      return (await objectsOf(ann)).length === 0 && (await drive().query('select from uploads where organization_id = ?', [ann.organizationId])).length === 0;
    }, 30_000, 'everything removed');
    expect(await usedBy(ann)).toBe(0);
  });

  it('while an object is to be removed is asked again until it is done', async () => {
    const ann = await planned(1000);
    const { store } = drive().drive.container;
    const { id } = await drive().upload(ann, 'x', Buffer.alloc(10));
    const remove = store.remove.bind(store);
    let failures = 0;
    store.remove = async (keys) => {
      failures += 1;
      if (failures <= 2) throw new StoreFailed(new Error('away'));
      await remove(keys);
    };
    await as(ann).delete(`/api/files/${id}`).expect(204);
    await eventually(() => failures > 0, 15_000, 'a first try');
    await eventually(async () => {
      await hurryRemovals();
      return (await objectsOf(ann)).length === 0;
    }, 30_000, 'the object removed');
    store.remove = remove;
    await becomes(ann, 0);
  }, 60_000);
});

describe('the scan', () => {
  const scan = (graceMs = 0) => drive().drive.container.scan.run(new AbortController().signal, graceMs);
  const orphan = async (key: string): Promise<void> => void (await new FolderStore(drive().folder).put(key, Readable.from(['x']), { maxBytes: 1 }));

  it('removes objects that nobody knows, and nothing else', async () => {
    const ann = await planned(10_000);
    const file = await drive().upload(ann, 'kept', randomBytes(100));
    const before = await drive().objects();
    for (let n = 0; n < 7; n += 1) await orphan(`${ann.organizationId}/00/${randomUUID()}`);
    expect(await scan(3_600_000)).toBe(0); // too young to be sure
    expect(await scan()).toBe(7);
    expect(await drive().objects()).toEqual(before);
    await as(ann).get(`/api/files/${file.id}/download`).expect(200);
    expect(await drive().query('select from scanned_objects')).toEqual([]);
  });

  it('leaves uploads under way and objects about to be removed alone', async () => {
    const ann = await planned(10_000);
    const [uploading, removing] = [`${ann.organizationId}/00/${randomUUID()}`, `${ann.organizationId}/00/${randomUUID()}`];
    await Promise.all([orphan(uploading), orphan(removing)]);
    await drive().query('insert into uploads (object_key, organization_id, begun_at) values (?, ?, now())', [uploading, ann.organizationId]);
    await drive().query(`insert into object_removals (id, organization_id, object_key, kind, next_attempt_at) values (?, ?, ?, 'file', now() + interval '1 hour')`, [randomUUID(), ann.organizationId, removing]);
    expect(await scan()).toBe(0);
    expect(await objectsOf(ann)).toEqual([uploading, removing].sort());
    await drive().query('delete from uploads where object_key = ?', [uploading]);
    await drive().query('delete from object_removals where object_key = ?', [removing]);
    expect(await scan()).toBe(2);
  });

  it('reports files whose object is gone, and goes on', async () => {
    const ann = await planned(10_000);
    const [lost, kept] = [await drive().upload(ann, 'lost'), await drive().upload(ann, 'kept')];
    const [row] = await drive().query<{ key: string }>('select object_key as key from files where id = ?', [lost.id]);
    await rm(join(drive().folder, 'objects', row?.key ?? ''));
    await drive().query(`update files set created_at = now() - interval '1 minute' where id in (?, ?)`, [lost.id, kept.id]);
    await scan();
    expect((await drive().as().get('/metrics').expect(200)).text).toMatch(/drive_missing_objects\{[^}]*\} 1\n/);
    await as(ann).delete(`/api/files/${lost.id}`).expect(204);
    await scan();
    expect((await drive().as().get('/metrics').expect(200)).text).toMatch(/drive_missing_objects\{[^}]*\} 0\n/);
  });

  it('and the other jobs run by name, in one process of several', async () => {
    const { scheduler } = drive().drive.container;
    expect([...scheduler.names].sort()).toEqual(['links.forget', 'objects.forget', 'objects.scan', 'outbox.forget', 'uploads.expire']);
    for (const name of scheduler.names) await scheduler.run(name);
  });
});

describe('an upload whose process has died', () => {
  it('is given up after a while, with its count, its object and what was written of it', async () => {
    const ann = await planned(1000);
    const key = `${ann.organizationId}/00/${randomUUID()}`;
    await drive().query(`insert into uploads (object_key, organization_id, begun_at) values (?, ?, now() - interval '3 hours')`, [key, ann.organizationId]);
    await drive().drive.container.shell.permissions.authorize({ sub: ann.id, act: 'write', obj: 'drive.files', limitKey: STORAGE_KEY, amount: 700, idempotencyKey: key });
    const half = join(drive().folder, 'unfinished', key.replaceAll('/', '_'));
    await mkdir(dirname(half), { recursive: true });
    await writeFile(half, 'half of it');
    expect(await usedBy(ann)).toBe(700);
    await drive().drive.container.scheduler.run('uploads.expire');
    await becomes(ann, 0);
    await expect(writeFile(half, 'x', { flag: 'r+' })).rejects.toThrow('ENOENT');
    expect(await drive().query('select from uploads where object_key = ?', [key])).toEqual([]);
  });

  it('that still is alive, and comes back too late, is refused and keeps nothing', async () => {
    const [ann, slow] = [await planned(1000), await drive().second()];
    const { store } = slow.drive.container;
    const original = store.put.bind(store);
    store.put = async (key, content, options) => {
      const stored = await original(key, content, options);
      await drive().query(`update uploads set begun_at = now() - interval '3 hours' where object_key = ?`, [key]);
      await drive().drive.container.scheduler.run('uploads.expire');
      return stored;
    };
    expect((await put(ann, 10, 'late', slow)).status).toBeGreaterThanOrEqual(400);
    expect((await as(ann).get('/api/files').expect(200)).body.total).toBe(0);
    await eventually(async () => {
      await hurryRemovals(); // whoever tries while the other still writes tries again, later and later
      return (await usedBy(ann)) === 0 && (await objectsOf(ann)).length === 0;
    }, 60_000, 'nothing counted and the object removed');
  });
});

describe('what happened', () => {
  it('is told to other services in the order in which it happened, and stays told when the key-value store was away', async () => {
    const ann = await planned(10_000);
    const folder = await drive().makeFolder(ann);
    const [alone, inside] = [await drive().upload(ann, 'alone'), await drive().upload(ann, 'inside', 'x', folder.id)];
    await as(ann).delete(`/api/files/${alone.id}`).expect(204);
    await as(ann).delete(`/api/folders/${folder.id}`).expect(204);
    const { redis } = drive().drive.container;
    const told = async (): Promise<Record<string, string>[]> => (await redis.xrange(EVENT_STREAM, '-', '+')).map(([, fields]) => Object.fromEntries(Array.from({ length: fields.length / 2 }, (_, n) => [fields[2 * n], fields[2 * n + 1]]))).filter(({ organizationId }) => organizationId === ann.organizationId);
    await eventually(async () => (await told()).length === 2, 15_000, 'both told');
    expect(await told()).toEqual([alone, inside].map(({ id }) => ({ id: expect.any(String), type: 'drive.file_deleted', organizationId: ann.organizationId, occurredAt: expect.stringMatching(/Z$/), payload: JSON.stringify({ fileId: id }) })));
  });
});
