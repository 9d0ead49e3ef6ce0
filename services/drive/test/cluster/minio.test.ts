import { randomBytes } from 'node:crypto';
import { eventually, startTestMinio, type TestMinio } from '@satellite/kit/testing';
import { TestDrive, type DrivePerson } from '../support/drive.js';

let minio: TestMinio;
let drive: TestDrive;
let ann: DrivePerson;
beforeAll(async () => {
  minio = await startTestMinio();
  const { url, accessKey, secretKey } = minio;
  drive = await TestDrive.start({ APP_ENV_STORAGE: 's3', APP_ENV_S3_ENDPOINT: url, APP_ENV_S3_BUCKET: await minio.newBucket(), APP_ENV_S3_ACCESS_KEY: accessKey, APP_ENV_S3_SECRET_KEY: secretKey, APP_ENV_MAX_FILE_BYTES: String(30 * 1024 * 1024) });
  ann = await drive.owner();
}, 120_000);
afterAll(async () => {
  await drive?.stop();
  await minio?.stop();
});

describe('Drive on MinIO', () => {
  it('keeps files of one part and of several, gives ranges of them, and removes them for good', async () => {
    for (const size of [0, 10, 20 * 1024 * 1024]) {
      const bytes = randomBytes(size);
      const { id } = await drive.upload(ann, `f${size}`, bytes);
      expect((await drive.as(ann.driveToken).get(`/api/files/${id}/download`).responseType('blob').expect(200)).body.equals(bytes)).toBe(true);
      if (size > 0) expect((await drive.as(ann.driveToken).get(`/api/files/${id}/download`).set('range', `bytes=${size - 5}-`).responseType('blob').expect(206)).body.equals(bytes.subarray(size - 5))).toBe(true);
      await drive.as(ann.driveToken).delete(`/api/files/${id}`).expect(204);
    }
    await eventually(async () => (await drive.objects()).length === 0, 30_000, 'the objects removed');
  }, 60_000);

  it('leaves nothing of a file that is too large, parts included', async () => {
    await drive.as(ann.driveToken).post('/api/files/upload').attach('file', Buffer.alloc(30 * 1024 * 1024 + 1), 'over').expect(413);
    await eventually(async () => (await drive.query(`select from object_removals where status = 'pending'`)).length === 0 && (await drive.objects()).length === 0, 30_000, 'everything removed');
    expect(await drive.drive.container.store.sweep(new Date(Date.now() + 60_000))).toBe(0);
  }, 60_000);

  it('sends clients to the store where the deployment wants it, with the headers under which no browser runs a file', async () => {
    const direct = await drive.second({ APP_ENV_DIRECT_DOWNLOADS: 'true', APP_ENV_S3_PUBLIC_ENDPOINT: minio.url });
    const { id } = await drive.upload(ann, 'page.html', '<script>alert(1)</script>');
    await drive.as(ann.driveToken).get(`/api/files/${id}/download`).expect(200);
    const { headers } = await direct.as(ann.driveToken).get(`/api/files/${id}/download`).expect(302).expect('cache-control', 'no-store');
    const answer = await fetch(String(headers['location']), { headers: { range: 'bytes=1-6' } });
    expect([answer.status, await answer.text(), answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([206, 'script', 'text/plain; charset=utf-8', `attachment; filename="page.html"; filename*=UTF-8''page.html`]);
    await direct.as(ann.driveToken).get(`/api/files/${id}/download`).set('sec-fetch-mode', 'navigate').expect(302);
    const { data } = (await direct.as(ann.driveToken).post(`/api/files/${id}/share`).send({ ttlDays: 1 }).expect(201)).body;
    await direct.as().get(`/api/public/files/${data.url.split('/s/')[1]}`).expect(302);
    await direct.as(ann.driveToken).delete(`/api/files/${id}`).expect(204);
    await direct.as().get(`/api/public/files/${data.url.split('/s/')[1]}`).expect(404);
  });

  it.each([['sec-fetch-mode', 'cors'], ['sec-fetch-mode', 'same-origin'], ['x-requested-with', 'fetch']])('gives a script of the page (%s: %s) the bytes itself, since the policy of the page lets it go nowhere else', async (header, mode) => {
    const direct = await drive.second({ APP_ENV_DIRECT_DOWNLOADS: 'true', APP_ENV_S3_PUBLIC_ENDPOINT: minio.url });
    const { id } = await drive.upload(ann, `seen by ${mode}.txt`, 'text to look at');
    const { headers, text } = await direct.as(ann.driveToken).get(`/api/files/${id}/download`).set(header, mode).expect(200);
    expect([text, headers['vary']]).toEqual(['text to look at', expect.stringContaining('Sec-Fetch-Mode')]);
  });
});
