import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive();
let ann: DrivePerson;
beforeEach(async () => {
  ann = await drive().owner();
});
const as = (person: DrivePerson = ann) => drive().as(person.driveToken);
const children = async (parentId?: string): Promise<string[]> => ((await as().get(`/api/folders${parentId === undefined ? '' : `?parentId=${parentId}`}`).expect(200)).body.data as { name: string }[]).map(({ name }) => name);
const statuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status).sort();

describe('folders', () => {
  it('are refused without a name that is a label, below what is not there, and twice in one place', async () => {
    for (const name of ['', ' ', '..', 'a/b', 'a\\b', 'a\u0000', 'x'.repeat(256), 5, null, undefined]) await as().post('/api/folders').send({ name }).expect(400);
    for (const [parentId, status] of [[randomUUID(), 404], ['x', 400], [5, 400]] as const) await as().post('/api/folders').send({ name: 'x', parentId }).expect(status);
    await drive().makeFolder(ann, 'one');
    const { body } = await as().post('/api/folders').send({ name: ' one ' }).expect(409);
    expect(body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'folders.name_in_use', name: 'one' } });
    await as().post('/api/folders').send({ name: 'e\u0301' }).expect(201);
    await as().post('/api/folders').send({ name: '\u00e9' }).expect(409);
    expect((await children()).sort()).toEqual(['one', 'é']);
  });

  it('are listed by place, and have the same names in different places', async () => {
    const one = await drive().makeFolder(ann, 'one');
    expect(one).toEqual({ id: expect.any(String), name: 'one', parentId: null, createdBy: ann.id, createdAt: expect.any(String), updatedAt: expect.any(String), version: 1 });
    await drive().makeFolder(ann, 'one', one.id);
    await drive().makeFolder(ann, 'two', one.id);
    expect([await children(), await children(one.id)]).toEqual([['one'], ['one', 'two']]);
    expect((await as().get(`/api/folders?parentId=${one.id}&limit=1&offset=1`).expect(200)).body).toMatchObject({ data: [{ name: 'two' }], total: 2 });
    await as().get(`/api/folders?parentId=${randomUUID()}`).expect(404);
  });

  it('are renamed and moved by who made them or an administrator', async () => {
    const [editor, other] = [await drive().colleague(ann), await drive().colleague(ann)];
    const mine = await drive().makeFolder(editor, 'mine');
    const target = await drive().makeFolder(ann, 'target');
    expect((await as(other).patch(`/api/folders/${mine.id}`).send({ name: 'theirs' }).expect(403)).body.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'folders.not_yours' } });
    await as(editor).patch(`/api/folders/${target.id}`).send({ name: 'x' }).expect(403);
    await as(editor).patch(`/api/folders/${randomUUID()}`).send({ name: 'x' }).expect(404);
    for (const body of [{ name: '' }, { name: null }, { createdBy: other.id }, { parentId: 'x' }]) await as(editor).patch(`/api/folders/${mine.id}`).send(body).expect(400);
    expect((await as(editor).patch(`/api/folders/${mine.id}`).send({ name: 'renamed' }).expect(200)).body.data).toMatchObject({ name: 'renamed', parentId: null, version: 2 });
    expect((await as().patch(`/api/folders/${mine.id}`).set('if-match', '"2"').send({ parentId: target.id }).expect(200)).body.data).toMatchObject({ name: 'renamed', parentId: target.id, version: 3 });
    await as().patch(`/api/folders/${mine.id}`).set('if-match', '"2"').send({ name: 'x' }).expect(412);
    await as().patch(`/api/folders/${mine.id}`).send({ parentId: null }).expect(200);
    expect((await children()).sort()).toEqual(['renamed', 'target']);
  });

  it('keep names apart when they are renamed and moved', async () => {
    const [one, two] = [await drive().makeFolder(ann, 'one'), await drive().makeFolder(ann, 'two')];
    await as().patch(`/api/folders/${one.id}`).send({ name: 'two' }).expect(409);
    const inner = await drive().makeFolder(ann, 'one', two.id);
    await as().patch(`/api/folders/${one.id}`).send({ parentId: two.id }).expect(409);
    await as().patch(`/api/folders/${one.id}`).send({ parentId: two.id, name: 'three' }).expect(200);
    expect(await children(two.id)).toEqual(['one', 'three']);
    expect(inner.parentId).toBe(two.id);
  });

  it('never go into themselves', async () => {
    const a = await drive().makeFolder(ann, 'a');
    const b = await drive().makeFolder(ann, 'b', a.id);
    const c = await drive().makeFolder(ann, 'c', b.id);
    for (const parentId of [a.id, b.id, c.id]) expect((await as().patch(`/api/folders/${a.id}`).send({ parentId }).expect(409)).body.error.details.reason).toBe('folders.move_into_itself');
  });

  it('are nested 64 deep and no deeper, also by moving', async () => {
    let parentId: string | undefined;
    for (let depth = 0; depth < 63; depth += 1) parentId = (await drive().makeFolder(ann, `d${depth}`, parentId)).id;
    const small = await drive().makeFolder(ann, 'small');
    await drive().makeFolder(ann, 'inside', small.id);
    expect((await as().patch(`/api/folders/${small.id}`).send({ parentId }).expect(409)).body.error.details.reason).toBe('folders.too_deep');
    const last = await drive().makeFolder(ann, 'last', parentId);
    expect((await as().post('/api/folders').send({ name: 'x', parentId: last.id }).expect(409)).body.error.details.reason).toBe('folders.too_deep');
  });
});

describe('a deleted folder', () => {
  it('takes everything below it along: folders, files, links and objects', async () => {
    const top = await drive().makeFolder(ann, 'top');
    const below = await drive().makeFolder(ann, 'below', top.id);
    const files = [await drive().upload(ann, 'a', 'a', top.id), await drive().upload(ann, 'b', 'b', below.id)];
    const kept = await drive().upload(ann, 'kept', 'k');
    await as().post(`/api/files/${files[1]?.id}/share`).send({ ttlDays: 1 }).expect(201);
    await as().delete(`/api/folders/${top.id}`).expect(204);
    for (const { id } of files) await as().get(`/api/files/${id}/download`).expect(404);
    for (const id of [top.id, below.id]) await as().delete(`/api/folders/${id}`).expect(404);
    await eventually(async () => (await drive().objects()).filter((key) => key.startsWith(ann.organizationId)).length === 1, 15_000, 'the objects removed');
    expect((await as().get('/api/files').expect(200)).body.data).toMatchObject([{ id: kept.id }]);
    expect(await drive().query('select from share_links where organization_id = ?', [ann.organizationId])).toEqual([]);
    const { data } = (await as().get('/api/audit').expect(200)).body as { data: { action: string }[] };
    expect(data.find(({ action }) => action === 'folders.deleted')).toMatchObject({ action: 'folders.deleted', subjectName: 'top', actorId: ann.id, details: { folders: 2, files: 2, bytes: 2 } });
  });

  it('is refused to who did not make it, and to who would delete what others made', async () => {
    const [editor, other] = [await drive().colleague(ann), await drive().colleague(ann)];
    const folder = await drive().makeFolder(editor, 'shared');
    const inner = await drive().makeFolder(editor, 'inner', folder.id);
    await drive().upload(other, 'theirs', 'x', inner.id);
    expect((await as(other).delete(`/api/folders/${folder.id}`).expect(403)).body.error.details.reason).toBe('folders.not_yours');
    expect((await as(editor).delete(`/api/folders/${folder.id}`).expect(403)).body.error.details.reason).toBe('folders.holds_others_files');
    await as().delete(`/api/folders/${folder.id}`).expect(204);
  });

  it('may hold any number of files: the database deletes them, and the store is cleared in batches', async () => {
    const folder = await drive().makeFolder(ann, 'many');
    await drive().query(
      `insert into files (id, organization_id, folder_id, name, size, content_type, checksum, object_key, counted, created_by, created_at, updated_at)
       select gen_random_uuid(), ?::uuid, ?::uuid, 'f' || n, 1, 'text/plain', repeat('0', 64), ?::text || '/00/' || gen_random_uuid(), false, ?::uuid, now(), now() from generate_series(1, 20000) n`,
      [ann.organizationId, folder.id, ann.organizationId, ann.id],
    );
    await as().delete(`/api/folders/${folder.id}`).expect(204);
    expect((await as().get('/api/files').expect(200)).body.total).toBe(0);
    const [row] = await drive().query<{ events: string }>(`select count(*) as events from outbox where organization_id = ? and type = 'drive.file_deleted'`, [ann.organizationId]);
    expect(row?.events).toBe('20000');
    await drive().query('delete from object_removals where organization_id = ?', [ann.organizationId]); // nothing of them is in the store
    await drive().query('delete from outbox where organization_id = ?', [ann.organizationId]);
  }, 60_000);
});

describe('at the same time', () => {
  it('twenty folders of one name become one', async () => {
    const other = await drive().second();
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? drive() : other).as(ann.driveToken).post('/api/folders').send({ name: 'same' })));
    expect(statuses(made)).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(await children()).toEqual(['same']);
  });

  it('ten uploads of one name become one file and one object', async () => {
    const other = await drive().second();
    const sent = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? drive() : other).as(ann.driveToken).post('/api/files/upload').attach('file', Buffer.from(`content ${n}`), 'same.txt')));
    expect(statuses(sent)).toEqual([201, ...Array<number>(9).fill(409)]);
    await eventually(async () => (await drive().objects()).filter((key) => key.startsWith(ann.organizationId)).length === 1, 15_000, 'the losers removed');
    const winner = sent.find(({ status }) => status === 201)?.body.data;
    expect((await as().get(`/api/files/${winner.id}/download`).buffer(true).expect(200)).text).toBe(`content ${sent.findIndex(({ status }) => status === 201)}`);
  });

  it('folders that are moved into each other never become a ring', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await drive().makeFolder(ann), await drive().makeFolder(ann)];
      const moved = await Promise.all([as().patch(`/api/folders/${a.id}`).send({ parentId: b.id }), as().patch(`/api/folders/${b.id}`).send({ parentId: a.id })]);
      expect(statuses(moved)).toEqual([200, 409]);
    }
  });

  it('a folder that is deleted while files come into it and folders into those leaves nothing of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const folder = await drive().makeFolder(ann);
      const work = [
        ...Array.from({ length: 4 }, (_, n) => as().post('/api/files/upload').field('folderId', folder.id).attach('file', Buffer.from('x'), `${n}.txt`)),
        ...Array.from({ length: 3 }, (_, n) => as().post('/api/folders').send({ name: `f${n}`, parentId: folder.id })),
      ];
      const [deleted, ...made] = await Promise.all([as().delete(`/api/folders/${folder.id}`), ...work]);
      expect(deleted?.status).toBe(204);
      for (const { status } of made) expect([201, 404]).toContain(status);
      await as().get(`/api/folders?parentId=${folder.id}`).expect(404);
    }
    expect((await as().get('/api/files').expect(200)).body.total).toBe(0);
    await eventually(async () => !(await drive().objects()).some((key) => key.startsWith(ann.organizationId)), 15_000, 'the objects removed');
  });

  it('a file that is renamed, moved and deleted is in one place or in none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [file, folder] = [await drive().upload(ann), await drive().makeFolder(ann)];
      const [renamed, moved, deleted, again] = await Promise.all([as().patch(`/api/files/${file.id}`).send({ name: `${randomUUID()}` }), as().patch(`/api/files/${file.id}`).send({ folderId: folder.id }), as().delete(`/api/files/${file.id}`), as().delete(`/api/files/${file.id}`)]);
      for (const { status } of [renamed, moved]) expect([200, 404]).toContain(status);
      expect(statuses([deleted, again])).toEqual([204, 404]);
      await as().get(`/api/files/${file.id}`).expect(404);
    }
  });

  it('changes of one version win once', async () => {
    const folder = await drive().makeFolder(ann);
    const changed = await Promise.all(Array.from({ length: 8 }, (_, n) => as().patch(`/api/folders/${folder.id}`).set('if-match', '"1"').send({ name: `n${n}` })));
    expect(statuses(changed)).toEqual([200, ...Array<number>(7).fill(412)]);
  });
});
