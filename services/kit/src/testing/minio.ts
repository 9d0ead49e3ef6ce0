import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'minio';
import { startTool } from './tool-server.js';

/** A MinIO server of `make tools`, with keys that may do everything. */
export interface TestMinio {
  /** Of its S3 interface. */
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** To look at it, and do to it, what a store would not. */
  readonly client: Client;
  /** Makes an empty bucket; answers its name. */
  newBucket(): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestMinio(): Promise<TestMinio> {
  const keys = { accessKey: 'satellite', secretKey: randomUUID() };
  const folder = await mkdtemp(join(tmpdir(), 'satellite-minio-'));
  const args = (port: number): string[] => ['server', folder, '--address', `127.0.0.1:${port}`, '--console-address', '127.0.0.1:0', '--quiet'];
  const server = await startTool('minio', args, { env: { MINIO_ROOT_USER: keys.accessKey, MINIO_ROOT_PASSWORD: keys.secretKey }, readyPath: '/minio/health/ready' });
  const client = new Client({ endPoint: '127.0.0.1', port: Number(new URL(server.url).port), useSSL: false, ...keys });
  return {
    url: server.url,
    ...keys,
    client,
    async newBucket() {
      const bucket = `bucket-${randomUUID()}`;
      await client.makeBucket(bucket);
      return bucket;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
