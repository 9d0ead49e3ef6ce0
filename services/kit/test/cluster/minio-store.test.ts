import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client } from 'minio';
import { S3Store } from '@satellite/kit/storage';
import { describeObjectStore, startTool, type ToolServer } from '@satellite/kit/testing';

const KEYS = { accessKey: 'satellite', secretKey: 'a-secret-of-the-tests' };
let folder: string;
let server: ToolServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satellite-minio-'));
  server = await startTool('minio', (port) => ['server', folder, '--address', `127.0.0.1:${port}`, '--console-address', '127.0.0.1:0', '--quiet'], { env: { MINIO_ROOT_USER: KEYS.accessKey, MINIO_ROOT_PASSWORD: KEYS.secretKey }, readyPath: '/minio/health/ready' });
}, 90_000);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const plainClient = (): Client => new Client({ endPoint: '127.0.0.1', port: Number(new URL(server.url).port), useSSL: false, ...KEYS });

async function newStore(over: object = {}): Promise<{ store: S3Store; bucket: string }> {
  const bucket = `bucket-${randomUUID().slice(0, 8)}`;
  await plainClient().makeBucket(bucket);
  return { store: new S3Store({ endpoint: server.url, region: 'us-east-1', bucket, ...KEYS, ...over }), bucket };
}

describeObjectStore('MinIO', async () => (await newStore()).store);

describe('MinIO', () => {
  it('gives direct addresses with the headers that are asked for, where browsers can reach it', async () => {
    const { store } = await newStore({ publicEndpoint: server.url });
    await store.put('a', Readable.from(['hello']), { maxBytes: 5 });
    const url = await store.directUrl('a', { seconds: 60, contentType: 'text/plain', contentDisposition: 'attachment; filename="x.txt"' });
    const answer = await fetch(url ?? '', { headers: { range: 'bytes=1-3' } });
    expect([answer.status, await answer.text(), answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([206, 'ell', 'text/plain', 'attachment; filename="x.txt"']);
    expect((await fetch((url ?? '').replace(/X-Amz-Signature=.{8}/, 'X-Amz-Signature=00000000'))).status).toBe(403);
    expect(await (await newStore()).store.directUrl('a', { seconds: 60, contentType: 'text/plain', contentDisposition: 'attachment' })).toBeUndefined();
  });

  it('abandons the parts of an upload whose process died', async () => {
    const { store, bucket } = await newStore();
    const uploadId = await plainClient().initiateNewMultipartUpload(bucket, 'org/left', {});
    await plainClient().uploadPart({ bucketName: bucket, objectName: 'org/left', uploadID: uploadId, partNumber: 1, headers: {} }, randomBytes(5 * 1024 * 1024));
    await store.abandon('org/left');
    expect(await plainClient().findUploadId(bucket, 'org/left')).toBeUndefined();
  });

  it('that refuses the keys, or is away, is a store that failed', async () => {
    for (const over of [{ secretKey: 'wrong-wrong-wrong' }, { endpoint: 'http://127.0.0.1:9' }]) {
      const { store } = await newStore(over);
      const failed = { kind: 'failed', code: 'storage.failed' };
      await expect(store.put('a', Readable.from(['x']), { maxBytes: 1 })).rejects.toMatchObject(failed);
      await expect(store.get('a')).rejects.toMatchObject(failed);
      await expect(store.stat('a')).rejects.toMatchObject(failed);
      await expect(store.remove(['a'])).rejects.toMatchObject(failed);
      expect(await store.isUp()).toBe(false);
    }
  });
});
