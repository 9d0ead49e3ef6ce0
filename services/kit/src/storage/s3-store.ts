import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'minio';
import { isAppError } from '../core/index.js';
import { assertKey, ObjectMissing, StoreFailed } from './errors.js';
import { Measure } from './measure.js';
import type { ByteRange, DirectUrlOptions, ObjectInfo, ObjectStore, StoredObject } from './object-store.js';

export interface S3Options {
  /** `https://s3.example.org`, with a port where it has one. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The endpoint as browsers reach it; without it there are no direct addresses. */
  readonly publicEndpoint?: string | undefined;
}

/** Above S3's least size of a part, and all that one upload keeps in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const REMOVED_AT_ONCE = 1000;
/** For one request; a part must get through in that time. */
const TIMEOUT_MS = 60_000;

/** Objects in a bucket of anything that speaks S3, MinIO first of all. */
export class S3Store implements ObjectStore {
  private readonly client: Client;
  private readonly publicClient: Client | undefined;
  private readonly bucket: string;

  constructor({ bucket, publicEndpoint, ...options }: S3Options) {
    this.bucket = bucket;
    this.client = clientOf(options);
    this.publicClient = publicEndpoint === undefined ? undefined : clientOf({ ...options, endpoint: publicEndpoint });
  }

  async put(key: string, content: Readable, { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal }): Promise<StoredObject> {
    assertKey(key);
    const measure = new Measure(maxBytes);
    const upload = new PartUpload(this.client, this.bucket, key);
    try {
      await pipeline(content, measure, (chunks: AsyncIterable<Buffer>) => upload.take(chunks), { ...(signal && { signal }) });
      await upload.finish();
      return { key, size: measure.size, checksum: measure.checksum() };
    } catch (error) {
      await upload.abort().catch(() => undefined); // `abandon` and `sweep` find it again
      throw (error as { name?: unknown }).name === 'AbortError' ? error : failure(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    const asked = range === undefined ? this.client.getObject(this.bucket, key) : this.client.getPartialObject(this.bucket, key, range.start, range.end - range.start + 1);
    return inTime(asked).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing() : failure(error);
    });
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    assertKey(key);
    const found = await inTime(this.client.statObject(this.bucket, key)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw failure(error);
    });
    return found && { key, size: found.size, modifiedAt: found.lastModified };
  }

  async remove(keys: readonly string[]): Promise<void> {
    keys.forEach(assertKey);
    for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE) {
      const answers = await inTime(this.client.removeObjects(this.bucket, keys.slice(at, at + REMOVED_AT_ONCE))).catch((error: unknown) => Promise.reject(failure(error)));
      const refused = answers.find((answer) => answer?.Error !== undefined && answer.Error.Code !== 'NoSuchKey');
      if (refused) throw new StoreFailed(new Error(`the store does not remove ${refused.Error?.Key ?? 'an object'}: ${refused.Error?.Code ?? ''}`));
    }
  }

  async abandon(key: string): Promise<void> {
    assertKey(key);
    await inTime(this.client.removeIncompleteUpload(this.bucket, key)).catch((error: unknown) => {
      if (!isMissing(error)) throw failure(error);
    });
    await this.remove([key]);
  }

  async *list(): AsyncIterable<ObjectInfo> {
    try {
      for await (const { name, size, lastModified } of this.client.listObjectsV2(this.bucket, '', true) as AsyncIterable<{ name?: string; size: number; lastModified?: Date }>) {
        if (name !== undefined && lastModified !== undefined) yield { key: name, size, modifiedAt: lastModified };
      }
    } catch (error) {
      throw failure(error);
    }
  }

  async sweep(before: Date): Promise<number> {
    let swept = 0;
    try {
      for await (const { key, uploadId, initiated } of this.client.listIncompleteUploads(this.bucket, '', true) as AsyncIterable<{ key: string; uploadId: string; initiated: Date }>) {
        if (new Date(initiated) >= before) continue;
        await inTime(this.client.abortMultipartUpload(this.bucket, key, uploadId));
        swept += 1;
      }
      return swept;
    } catch (error) {
      throw failure(error);
    }
  }

  async directUrl(key: string, { seconds, contentType, contentDisposition }: DirectUrlOptions): Promise<string | undefined> {
    assertKey(key);
    return this.publicClient?.presignedGetObject(this.bucket, key, seconds, { 'response-content-type': contentType, 'response-content-disposition': contentDisposition });
  }

  /** Makes the bucket unless it exists. */
  async prepare(): Promise<void> {
    try {
      if (!(await inTime(this.client.bucketExists(this.bucket)))) await inTime(this.client.makeBucket(this.bucket));
    } catch (error) {
      // somebody else has made it meanwhile
      if ((error as { code?: unknown }).code !== 'BucketAlreadyOwnedByYou') throw failure(error);
    }
  }

  isUp(): Promise<boolean> {
    return inTime(this.client.bucketExists(this.bucket)).catch(() => false);
  }
}

/** One object on its way: short ones in one request, others in parts of which one is in memory. */
class PartUpload {
  private buffered: Buffer[] = [];
  private bytes = 0;
  private uploadId: string | undefined;
  private readonly parts: { part: number; etag: string }[] = [];

  constructor(
    private readonly client: Client,
    private readonly bucket: string,
    private readonly key: string,
  ) {}

  async take(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.buffered.push(chunk);
      this.bytes += chunk.length;
      if (this.bytes >= PART_BYTES) await this.sendPart();
    }
  }

  async finish(): Promise<void> {
    if (this.uploadId === undefined) {
      const whole = this.taken();
      await inTime(this.client.putObject(this.bucket, this.key, whole, whole.length));
      return;
    }
    if (this.bytes > 0) await this.sendPart();
    await inTime(this.client.completeMultipartUpload(this.bucket, this.key, this.uploadId, this.parts));
    this.uploadId = undefined;
  }

  async abort(): Promise<void> {
    if (this.uploadId !== undefined) await inTime(this.client.abortMultipartUpload(this.bucket, this.key, this.uploadId));
  }

  private async sendPart(): Promise<void> {
    this.uploadId ??= await inTime(this.client.initiateNewMultipartUpload(this.bucket, this.key, {}));
    const partNumber = this.parts.length + 1;
    const content = this.taken();
    const { etag } = await inTime(this.client.uploadPart({ bucketName: this.bucket, objectName: this.key, uploadID: this.uploadId, partNumber, headers: { 'Content-Length': content.length } }, content));
    this.parts.push({ part: partNumber, etag });
  }

  private taken(): Buffer {
    const content = Buffer.concat(this.buffered);
    [this.buffered, this.bytes] = [[], 0];
    return content;
  }
}

function clientOf({ endpoint, region, accessKey, secretKey }: Omit<S3Options, 'bucket' | 'publicEndpoint'>): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  const Agent = useSSL ? HttpsAgent : HttpAgent;
  return new Client({ endPoint: hostname, ...(port !== '' && { port: Number(port) }), useSSL, region, accessKey, secretKey, transportAgent: new Agent({ keepAlive: true }) });
}

/** A store that does not answer must not keep a request for ever. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(String((error as { code?: unknown }).code));
const failure = (error: unknown): Error => (isAppError(error) ? error : new StoreFailed(error));
