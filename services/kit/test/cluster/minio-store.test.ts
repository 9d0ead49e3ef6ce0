import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { S3Store } from '@satellite/kit/storage';
import { describeObjectStore, startTestMinio, type TestMinio } from '@satellite/kit/testing';

let minio: TestMinio;
beforeAll(async () => {
  minio = await startTestMinio();
}, 90_000);
afterAll(() => minio?.stop());

async function newStore(over: object = {}): Promise<{ store: S3Store; bucket: string }> {
  const { url: endpoint, accessKey, secretKey } = minio;
  const bucket = await minio.newBucket();
  return { store: new S3Store({ endpoint, region: 'us-east-1', bucket, accessKey, secretKey, ...over }), bucket };
}

describeObjectStore('MinIO', async () => (await newStore()).store);

describe('MinIO', () => {
  it('gives direct addresses with the headers that are asked for, where browsers can reach it', async () => {
    const { store } = await newStore({ publicEndpoint: minio.url });
    await store.put('a', Readable.from(['hello']), { maxBytes: 5 });
    const url = await store.directUrl('a', { seconds: 60, contentType: 'text/plain', contentDisposition: 'attachment; filename="x.txt"' });
    const answer = await fetch(url ?? '', { headers: { range: 'bytes=1-3' } });
    expect([answer.status, await answer.text(), answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([206, 'ell', 'text/plain', 'attachment; filename="x.txt"']);
    expect((await fetch((url ?? '').replace(/X-Amz-Signature=.{8}/, 'X-Amz-Signature=00000000'))).status).toBe(403);
    expect(await (await newStore()).store.directUrl('a', { seconds: 60, contentType: 'text/plain', contentDisposition: 'attachment' })).toBeUndefined();
  });

  it('abandons the parts of an upload whose process died', async () => {
    const { store, bucket } = await newStore();
    const uploadId = await minio.client.initiateNewMultipartUpload(bucket, 'org/left', {});
    await minio.client.uploadPart({ bucketName: bucket, objectName: 'org/left', uploadID: uploadId, partNumber: 1, headers: {} }, randomBytes(5 * 1024 * 1024));
    await store.abandon('org/left');
    expect(await minio.client.findUploadId(bucket, 'org/left')).toBeUndefined();
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
