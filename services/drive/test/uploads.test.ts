import { randomBytes } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { useDrive, type DrivePerson } from './support/drive.js';
import { END, fieldOf, fileOf, part, RawUpload, sendBody } from './support/raw-upload.js';

const LIMIT = 1024 * 1024;
const drive = useDrive();
let ann: DrivePerson;
beforeEach(async () => {
  ann = await drive().owner();
});
const as = (person: DrivePerson = ann) => drive().as(person.driveToken);
const send = (...parts: Buffer[]) => sendBody(drive(), ann.driveToken, parts);
/** Neither file nor upload nor object of the organization is left. */
const nothingIsLeft = (organizationId = ann.organizationId): Promise<void> =>
  eventually(async () => {
    const rows = await drive().query(`select 1 from files where organization_id = ? union all select 1 from uploads where organization_id = ? union all select 1 from object_removals where organization_id = ? and status <> 'done'`, [organizationId, organizationId, organizationId]);
    return rows.length === 0 && !(await drive().objects()).some((key) => key.startsWith(organizationId));
  }, 15_000, 'everything of the upload removed');

describe('names', () => {
  it.each(['../../etc/x', '..\\..\\x', 'a/b', 'C:\\x', '..', '.', '', ' ', 'a\u202etxt.exe', 'a\u0000b', 'x'.repeat(256), 'ä'.repeat(128)])('%j is refused and leaves nothing', async (name) => {
    const { status, text } = await send(fileOf(name.replaceAll('\\', '\\\\'), 'x'), END);
    expect([status, text]).toEqual([400, expect.stringContaining('"error"')]);
    await nothingIsLeft();
  });

  it.each(['CON', '%2e%2e%2f', '...', 'a b.txt', 'übergröße.txt', '日本語.txt', '<script>.html', "'; drop table files; --", '$(reboot)', 'x'.repeat(255)])('%j is a label like any other, on the disk and in every answer', async (name) => {
    const { status, text } = await send(fileOf(name, 'x'), END);
    expect(status).toBe(201);
    expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).data.name).toBe(name);
    for (const key of await drive().objects()) expect(key).toMatch(/^[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  });
});

describe('content types', () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  it.each<[string, string, string, Buffer | string]>([
    ['a picture that claims to be a page', 'x.html', 'image/png', png], ['a page that claims to be a picture', 'x.png', 'text/plain', '<html><script>alert(1)</script></html>'], ['a picture with a script in it', 'x.svg', 'text/plain', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XML', 'x.xml', 'text/plain', '<?xml version="1.0"?><a/>'], ['a PDF that is a page too', 'x.png', 'application/pdf', '%PDF-1.7\n<html><script>alert(1)</script></html>'], ['a table', 'x.csv', 'text/csv', 'a,b\n1,2'], ['JSON', 'x.JSON', 'application/json', '{}'],
    ['a script', 'x.js', 'text/plain', 'alert(1)'], ['nothing', 'x.png', 'text/plain', ''], ['bytes', 'x.txt', 'application/octet-stream', Buffer.from([1, 2, 3])], ['broken UTF-8', 'x.txt', 'application/octet-stream', Buffer.from([0xc3, 0x28, 0x41])],
  ])('%s (%s) is %s by its bytes', async (_what, name, contentType, content) => {
    const { body } = await as().post('/api/files/upload').attach('file', Buffer.from(content), { filename: name, contentType: 'image/png' }).expect(201);
    expect(body.data.contentType).toBe(contentType);
    const { headers } = await as().get(`/api/files/${body.data.id}/download`).expect(200);
    expect(headers).toMatchObject({ 'content-disposition': expect.stringMatching(/^attachment; /), 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" });
    expect(headers['content-type']).toBe(contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType);
  });
});

describe('sizes', () => {
  it('take nothing at all, and everything up to the limit', async () => {
    expect(await drive().upload(ann, 'empty', '')).toMatchObject({ size: 0, checksum: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' });
    expect(await drive().upload(ann, 'full', Buffer.alloc(LIMIT))).toMatchObject({ size: LIMIT });
  });

  it('refuse the first byte too many, however the length is told', async () => {
    const over = randomBytes(LIMIT + 1);
    expect((await send(fileOf('over', over), END)).status).toBe(413);
    const chunked = await RawUpload.begin(drive(), ann.driveToken);
    await chunked.chunk(fileOf('over', over));
    await chunked.chunk(END);
    await chunked.endChunks();
    const { status, text } = await chunked.answer();
    expect([status, text]).toEqual([413, expect.stringContaining('files.too_large')]);
    await nothingIsLeft();
  });

  it('are refused while the body still comes in: nobody has to send all of it', async () => {
    const upload = await RawUpload.begin(drive(), ann.driveToken, { length: 2 ** 40 });
    await upload.write(fileOf('endless', Buffer.alloc(LIMIT + 1)));
    void upload.answer().then(() => undefined);
    await eventually(() => upload['received'].startsWith('HTTP/1.1 413'), 10_000, 'the refusal');
    upload.cut();
    await nothingIsLeft();
  });
});

describe('what is no upload', () => {
  it.each<[string, readonly Buffer[], string]>([
    ['no part', [END], 'there is no file'], ['no file', [fieldOf('folderId', ''), END], 'there is no file'], ['an empty body', [], 'cut or damaged'], ['a body without its end', [fileOf('a', 'x')], 'cut or damaged'], ['rubbish', [Buffer.from('rubbish')], 'cut or damaged'],
    ['two files', [fileOf('a', 'x'), fileOf('b', 'x')], 'more than one file'], ['a file in another field', [fileOf('a', 'x', 'document')], 'in the field \\"file\\"'], ['a file without a name', [part(['Content-Disposition: form-data; name="file"', 'Content-Type: application/octet-stream'], 'x')], 'have a name'],
    ['an unknown field', [fieldOf('owner', 'me'), fileOf('a', 'x')], 'not a known field'], ['an unknown field after the file', [fileOf('a', 'x'), fieldOf('owner', 'me')], 'not a known field'], ['a field twice', [fieldOf('folderId', ''), fieldOf('folderId', ''), fileOf('a', 'x')], 'twice or too long'],
    ['a long field', [fieldOf('folderId', 'x'.repeat(201)), fileOf('a', 'x')], 'twice or too long'], ['many parts', Array.from({ length: 30 }, (_, n) => fieldOf(`f${n}`, 'x')), 'not a known field'],
  ])('%s is answered 400, and leaves nothing', async (_what, parts, why) => {
    const { status, text } = await send(...parts, ...(['cut or damaged', 'there is no file'].includes(why) ? [] : [END]));
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
    await nothingIsLeft();
  });

  it('has another content type, or a boundary that is missing or another one', async () => {
    const body = [fileOf('a', 'x'), END];
    for (const contentType of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=xxBOUNDARYxx']) expect((await sendBody(drive(), ann.driveToken, body, { contentType })).status).toBe(415);
    for (const contentType of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other']) expect((await sendBody(drive(), ann.driveToken, body, { contentType })).status).toBe(400);
    await nothingIsLeft();
  });

  it('says a folder that is no id, or is not there', async () => {
    for (const [folderId, status] of [['x', 400], ['../..', 400], ['00000000-0000-4000-8000-000000000000', 404]] as const) {
      expect((await send(fieldOf('folderId', folderId), fileOf('a', 'x'), END)).status).toBe(status);
      expect((await send(fileOf('a', 'x'), fieldOf('folderId', folderId), END)).status).toBe(status);
    }
    await nothingIsLeft();
  });

  it('is cut by a length that is too short; a length that is too long waits for the rest and keeps nothing', async () => {
    const body = Buffer.concat([fileOf('a', 'x'.repeat(1000)), END]);
    expect((await sendBody(drive(), ann.driveToken, [body], { length: body.length - 100 })).status).toBe(400);
    const waiting = await RawUpload.begin(drive(), ann.driveToken, { length: body.length + 100 });
    await waiting.write(body.subarray(0, body.length - 200));
    waiting.cut();
    await nothingIsLeft();
  });
});

describe('a client that leaves', () => {
  it.each([1, 1000, 300_000])('after %d bytes of its file leaves nothing behind', async (bytes) => {
    const upload = await RawUpload.begin(drive(), ann.driveToken, { length: LIMIT });
    await upload.write(fileOf('half', Buffer.alloc(bytes)).subarray(0, -2));
    await eventually(async () => (await drive().query('select from uploads where organization_id = ?', [ann.organizationId])).length === 1, 10_000, 'the upload begun');
    upload.cut();
    await nothingIsLeft();
  });

  it('after its last byte still gets its file: what is whole is kept', async () => {
    const body = Buffer.concat([fileOf('kept', 'x'), END]);
    const upload = await RawUpload.begin(drive(), ann.driveToken, { length: body.length });
    await upload.write(body);
    await eventually(async () => (await drive().query('select from files where organization_id = ?', [ann.organizationId])).length === 1, 10_000, 'the file');
    upload.cut();
    expect((await as().get('/api/files').expect(200)).body.total).toBe(1);
  });
});

describe('memory', () => {
  it('holds a few chunks of an upload, however much comes: the client waits for the store', async () => {
    const slow = await drive().second({ APP_ENV_MAX_FILE_BYTES: String(2 ** 30) });
    const { store } = slow.drive.container;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const put = store.put.bind(store);
    store.put = async (key, content, options) => {
      await opened; // a store that does not take a byte for now
      return put(key, content, options);
    };
    const total = 64 * LIMIT;
    const head = fileOf('large', '').subarray(0, -2);
    const upload = await RawUpload.begin(slow, ann.driveToken, { length: head.length + total + 2 + END.length });
    let sent = 0;
    const sending = (async () => {
      await upload.write(head);
      for (; sent < total; sent += LIMIT) await upload.write(Buffer.alloc(LIMIT));
      await upload.write(Buffer.concat([Buffer.from('\r\n'), END]));
    })();
    await standsStill(() => sent);
    expect(sent).toBeLessThan(total / 2); // the rest is in nobody's memory but the client's
    open();
    await sending;
    expect((await upload.answer()).status).toBe(201);
    expect((await as().get('/api/files').expect(200)).body.data).toMatchObject([{ name: 'large', size: total }]);
  });
});

/** Resolves when a number has not changed over many looks. */
async function standsStill(look: () => number): Promise<void> {
  let [before, same] = [look(), 0];
  await eventually(() => {
    same = look() === before ? same + 1 : 0;
    before = look();
    return same > 50;
  }, 60_000, 'standing still');
}
