import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive();
let ann: DrivePerson;
beforeAll(async () => {
  ann = await drive().owner();
});
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const as = (person: DrivePerson = ann) => drive().as(person.driveToken);

describe('an upload', () => {
  it('becomes a file with what was measured of it', async () => {
    const bytes = randomBytes(200_000);
    const folder = await drive().makeFolder(ann);
    const { body, headers } = await as().post('/api/files/upload').field('folderId', folder.id).attach('file', bytes, { filename: 'data.bin', contentType: 'image/png' }).expect(201);
    expect(body).toEqual({ data: { id: expect.any(String), name: 'data.bin', size: 200_000, contentType: 'application/octet-stream', checksum: sha256(bytes), folderId: folder.id, createdBy: ann.id, createdAt: expect.any(String), updatedAt: expect.any(String), version: 1 } });
    expect(headers['etag']).toBe('"1"');
    const { body: downloaded } = await as().get(`/api/files/${body.data.id}/download`).responseType('blob').expect(200);
    expect(downloaded.equals(bytes)).toBe(true);
  });

  it('of one byte too many is refused with 413 and leaves neither row nor object', async () => {
    const before = await drive().objects();
    await drive().upload(ann, 'full.bin', randomBytes(1024 * 1024));
    const { body } = await as().post('/api/files/upload').attach('file', randomBytes(1024 * 1024 + 1), 'over.bin').expect(413);
    expect(body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'files.too_large', maxBytes: 1024 * 1024 } });
    await eventually(async () => (await drive().objects()).length === before.length + 1, 10_000, 'the object removed');
    expect((await as().get('/api/files?q=over.bin').expect(200)).body).toEqual({ data: [], total: 0 });
    expect(await drive().query('select from uploads')).toEqual([]);
  });

  it('of a name that is there is refused with 409', async () => {
    const name = `${randomUUID()}.txt`;
    await drive().upload(ann, name);
    expect((await as().post('/api/files/upload').attach('file', Buffer.from('x'), name).expect(409)).body.error.details.reason).toBe('files.name_in_use');
  });
});
