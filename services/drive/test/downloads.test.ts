import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@satellite/kit/testing';
import { useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive();
const BYTES = Buffer.from('0123456789');
let ann: DrivePerson;
let file: Awaited<ReturnType<ReturnType<typeof drive>['upload']>>;
beforeAll(async () => {
  ann = await drive().owner();
  file = await drive().upload(ann, 'zahlen ä.txt', BYTES);
});
const get = (headers: Readonly<Record<string, string>> = {}) => drive().as(ann.driveToken).get(`/api/files/${file.id}/download`).set(headers).responseType('blob');

describe('a download', () => {
  it('is the bytes, with their kind, length, name, digest and time', async () => {
    const { body, headers } = await get().expect(200);
    expect(body.equals(BYTES)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8', 'content-length': '10', 'accept-ranges': 'bytes', etag: `"${file.checksum}"`, 'cache-control': 'private, no-cache', 'last-modified': expect.stringMatching(/GMT$/),
      'content-disposition': `attachment; filename="zahlen _.txt"; filename*=UTF-8''zahlen%20%C3%A4.txt`, 'repr-digest': `sha-256=:${createHash('sha256').update(BYTES).digest('base64')}:`,
      'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'", 'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('is its headers alone for HEAD, also with a range', async () => {
    for (const headers of [{}, { range: 'bytes=0-1' }]) await drive().as(ann.driveToken).head(`/api/files/${file.id}/download`).set(headers).expect(200).expect('content-length', '10').expect('etag', `"${file.checksum}"`);
  });

  it.each([['bytes=0-0', '0', '0-0'], ['bytes=2-4', '234', '2-4'], ['bytes=7-', '789', '7-9'], ['bytes=-3', '789', '7-9'], ['bytes=-100', '0123456789', '0-9'], ['bytes=5-1000', '56789', '5-9'], ['bytes=0-9', '0123456789', '0-9'], ['bytes=9-9', '9', '9-9'], [' bytes = 1 - 2 ', '12', '1-2']])('gives %s', async (range, content, contentRange) => {
    const { body, headers } = await get({ range }).expect(206);
    expect([body.toString(), headers['content-range'], headers['content-length']]).toEqual([content, `bytes ${contentRange}/10`, String(content.length)]);
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(15)}-`])('has nothing for %s', async (range) => {
    const { body } = await drive().as(ann.driveToken).get(`/api/files/${file.id}/download`).set({ range }).expect(416).expect('content-range', 'bytes */10');
    expect(body.error).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE', details: { reason: 'request.range_not_satisfiable' } });
  });

  it.each(['bytes=5-2', 'bytes=a-b', 'bytes=-', 'bytes=', 'chars=0-1', '0-1', 'bytes=0-1,3-4', `bytes=${Array.from({ length: 1000 }, (_, n) => `${n % 9}-`).join()}`, `bytes=0-${'9'.repeat(30)}`, 'bytes=0x1-5', 'bytes=1.5-2'])('gives everything for %s', async (range) => {
    expect((await get({ range }).expect(200)).body.equals(BYTES)).toBe(true);
  });

  it('gives a range of what the client knows, else everything', async () => {
    const { headers } = await get();
    const range = 'bytes=0-1';
    for (const same of [headers['etag'], headers['last-modified']]) await get({ range, 'if-range': String(same) }).expect(206);
    for (const other of [`W/"${file.checksum}"`, '"other"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'x']) await get({ range, 'if-range': other }).expect(200);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await get();
    for (const tags of [`"${file.checksum}"`, `W/"${file.checksum}"`, `"x", "${file.checksum}"`, '*']) await get({ 'if-none-match': tags }).expect(304);
    await get({ 'if-none-match': '"x"' }).expect(200);
    await get({ 'if-modified-since': String(headers['last-modified']) }).expect(304);
    for (const since of ['Thu, 01 Jan 1970 00:00:00 GMT', 'x']) await get({ 'if-modified-since': since }).expect(200);
    await get({ 'if-none-match': '"x"', 'if-modified-since': String(headers['last-modified']) }).expect(200);
  });

  it('of nothing is nothing', async () => {
    const empty = await drive().upload(ann, 'empty', '');
    const answer = await drive().as(ann.driveToken).get(`/api/files/${empty.id}/download`).expect(200);
    expect(answer.headers['content-length']).toBe('0');
    await drive().as(ann.driveToken).get(`/api/files/${empty.id}/download`).set('range', 'bytes=0-').expect(416);
  });

  it('of a file whose object is gone is 500 before the first byte, and says nothing of where it was', async () => {
    const lost = await drive().upload(ann, 'lost', 'x');
    const [row] = await drive().query<{ key: string }>('select object_key as key from files where id = ?', [lost.id]);
    await rm(join(drive().folder, 'objects', row?.key ?? ''));
    const { body, text } = await drive().as(ann.driveToken).get(`/api/files/${lost.id}/download`).expect(500);
    expect(body.error).toMatchObject({ code: 'INTERNAL', details: { reason: 'storage.object_missing' } });
    expect(text).not.toContain(row?.key);
    await drive().as(ann.driveToken).delete(`/api/files/${lost.id}`).expect(204);
  });

  it('goes on for others when one client leaves in the middle', async () => {
    const big = await drive().upload(ann, 'big.bin', randomBytes(1024 * 1024));
    for (let n = 0; n < 3; n += 1) {
      const socket = connect(drive().port, '127.0.0.1');
      socket.write(`GET /api/files/${big.id}/download HTTP/1.1\r\nHost: drive\r\nAuthorization: Bearer ${ann.driveToken}\r\n\r\n`);
      await new Promise<void>((resolve) => socket.once('data', () => resolve()));
      socket.resetAndDestroy();
    }
    expect((await drive().as(ann.driveToken).get(`/api/files/${big.id}/download`).responseType('blob').expect(200)).body.length).toBe(1024 * 1024);
  });

  it('is written down once, however many parts it is fetched in', async () => {
    const { id } = await drive().upload(ann, undefined, BYTES);
    for (const range of ['bytes=0-4', 'bytes=5-9', 'bytes=-1']) await drive().as(ann.driveToken).get(`/api/files/${id}/download`).set({ range }).expect(206);
    await drive().as(ann.driveToken).head(`/api/files/${id}/download`).expect(200);
    const { data } = (await drive().as(ann.driveToken).get('/api/audit?limit=100').expect(200)).body as { data: { action: string; subjectId: string; actorId: string }[] };
    expect(data.filter(({ subjectId }) => subjectId === id).map(({ action, actorId }) => [action, actorId])).toEqual([['files.downloaded', ann.id], ['files.uploaded', ann.id]]);
  });
});

describe('lists of files', () => {
  let bob: DrivePerson;
  beforeAll(async () => {
    bob = await drive().owner();
    const folder = await drive().makeFolder(bob, 'inside');
    for (const name of ['Budget 2026.csv', 'budget_final.csv', '100%.txt', 'a_b.txt', 'axb.txt', 'Größe.txt']) await drive().upload(bob, name);
    for (const name of ['deep.txt', 'Budget inside.csv']) await drive().upload(bob, name, 'x', folder.id);
  });
  const names = async (query: string): Promise<string[]> => ((await drive().as(bob.driveToken).get(`/api/files${query}`).expect(200)).body.data as { name: string }[]).map(({ name }) => name).sort();

  it('refuse searches of one character, foreign and unknown parameters, and pages out of bounds', async () => {
    for (const query of ['?q=a', '?q=', '?q=%00%00', `?q=${'x'.repeat(256)}`, '?limit=0', '?limit=101', '?limit=1.5', '?limit=x', '?offset=-1', '?folderId=x', '?sort=name', '?q[x]=ab', '?q=ä'.slice(0, 4)]) await drive().as(bob.driveToken).get(`/api/files${query}`).expect(400);
    await drive().as(bob.driveToken).get(`/api/files?folderId=${randomUUID()}`).expect(404);
  });

  it('show all files, those of a folder, or those outside of folders', async () => {
    const [folder] = (await drive().as(bob.driveToken).get('/api/folders').expect(200)).body.data as { id: string }[];
    expect(await names('')).toHaveLength(8);
    expect(await names(`?folderId=${folder?.id}`)).toEqual(['Budget inside.csv', 'deep.txt']);
    expect(await names('?folderId=root')).toHaveLength(6);
  });

  it('find parts of names, whatever their case, and nothing that only looks like a pattern', async () => {
    expect(await names('?q=BUDGET')).toEqual(['Budget 2026.csv', 'Budget inside.csv', 'budget_final.csv']);
    expect(await names('?q=a_b')).toEqual(['a_b.txt']);
    expect(await names('?q=0%25')).toEqual(['100%.txt']);
    expect(await names(`?q=${encodeURIComponent('GRÖSSE'.replace('SS', 'ß'))}`)).toEqual(['Größe.txt']);
    expect(await names(`?q=${encodeURIComponent('Gro\u0308')}`)).toEqual(['Größe.txt']);
    for (const q of ["'; drop", '\\\\', '%25%25', '__', 'a&|!():*']) expect(await names(`?q=${encodeURIComponent(q)}`)).toEqual([]);
  });

  it('come in parts with the total beside them', async () => {
    const { body } = await drive().as(bob.driveToken).get('/api/files?limit=3&offset=6').expect(200);
    expect([body.total, body.data.length]).toEqual([8, 2]);
    const parts = await Promise.all([0, 3, 6].map((offset) => names(`?limit=3&offset=${offset}`)));
    expect(new Set(parts.flat()).size).toBe(8);
    expect((await drive().as(bob.driveToken).get('/api/storage').expect(200)).body).toEqual({ data: { files: 8, bytes: 6 * 5 + 2 } });
  });
});

describe('a change of a file', () => {
  it('renames and moves it, as its owner or an administrator, and nobody else', async () => {
    const [editor, other] = [await drive().colleague(ann), await drive().colleague(ann)];
    const mine = await drive().upload(editor, `${randomUUID()}.txt`);
    const folder = await drive().makeFolder(ann);
    expect((await drive().as(other.driveToken).patch(`/api/files/${mine.id}`).send({ name: 'x' }).expect(403)).body.error.details.reason).toBe('files.not_yours');
    await drive().as(other.driveToken).delete(`/api/files/${mine.id}`).expect(403);
    await drive().as(editor.driveToken).patch(`/api/files/${mine.id}`).send({ folderId: randomUUID() }).expect(404);
    for (const body of [{ name: 'a/b' }, { name: '' }, { name: 5 }, { size: 1 }, { folderId: 'root' }]) await drive().as(editor.driveToken).patch(`/api/files/${mine.id}`).send(body).expect(400);
    const moved = (await drive().as(editor.driveToken).patch(`/api/files/${mine.id}`).send({ name: 'new.txt', folderId: folder.id }).expect(200)).body.data;
    expect(moved).toMatchObject({ name: 'new.txt', folderId: folder.id, version: 2, createdBy: editor.id });
    await drive().as(editor.driveToken).patch(`/api/files/${mine.id}`).set('if-match', '"1"').send({ name: 'y' }).expect(412);
    expect((await drive().as(ann.driveToken).patch(`/api/files/${mine.id}`).set('if-match', '"2"').send({ folderId: null, name: `${randomUUID()}` }).expect(200)).body.data.folderId).toBeNull();
  });

  it('never makes two files of one name in one place', async () => {
    const [one, two] = [await drive().upload(ann), await drive().upload(ann)];
    expect((await drive().as(ann.driveToken).patch(`/api/files/${one.id}`).send({ name: two.name }).expect(409)).body.error.details.reason).toBe('files.name_in_use');
    const folder = await drive().makeFolder(ann);
    await drive().upload(ann, one.name, 'x', folder.id);
    await drive().as(ann.driveToken).patch(`/api/files/${one.id}`).send({ folderId: folder.id }).expect(409);
  });

  it('that deletes it removes the row, the links and the object for good', async () => {
    const { id } = await drive().upload(ann);
    const [row] = await drive().query<{ key: string }>('select object_key as key from files where id = ?', [id]);
    expect(await drive().objects()).toContain(row?.key);
    await drive().as(ann.driveToken).delete(`/api/files/${id}`).expect(204);
    await drive().as(ann.driveToken).get(`/api/files/${id}`).expect(404);
    await drive().as(ann.driveToken).delete(`/api/files/${id}`).expect(404);
    await eventually(async () => !(await drive().objects()).includes(row?.key ?? ''), 15_000, 'the object removed');
  });
});
