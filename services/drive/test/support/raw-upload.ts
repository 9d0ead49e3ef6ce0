import { connect, type Socket } from 'node:net';
import type { TestDrive } from './drive.js';

const BOUNDARY = 'xxBOUNDARYxx';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** One part of a multipart body, with its header lines exactly as given. */
export function part(headers: readonly string[], content: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
}

export const fileOf = (name: string, content: string | Buffer, field = 'file'): Buffer => part([`Content-Disposition: form-data; name="${field}"; filename="${name}"`, 'Content-Type: text/plain'], content);
export const fieldOf = (name: string, value: string): Buffer => part([`Content-Disposition: form-data; name="${name}"`], value);
export const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** An upload byte by byte as a client may send it, which no HTTP library would. */
export class RawUpload {
  private received = '';
  private readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text)).on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  /** @param length `Content-Length`; chunked without one */
  static async begin(drive: TestDrive, token: string, { length, contentType = `multipart/form-data; boundary=${BOUNDARY}`, path = '/api/files/upload' }: { length?: number; contentType?: string; path?: string } = {}): Promise<RawUpload> {
    const socket = connect(drive.port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: drive\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${contentType}\r\n${framing}\r\nConnection: close\r\n\r\n`);
    return new RawUpload(socket);
  }

  /** Resolves when the kernel has taken the bytes. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => void this.socket.write(bytes, () => resolve()));
  }

  chunk(bytes: Buffer): Promise<void> {
    return this.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
  }

  endChunks(): Promise<void> {
    return this.write(Buffer.from('0\r\n\r\n'));
  }

  /** As a client that is killed. */
  cut(): void {
    this.socket.resetAndDestroy();
  }

  async answer(): Promise<RawAnswer> {
    await this.closed;
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? 0), text: this.received };
  }
}

/** A whole body with a right length; answers what came back. */
export async function sendBody(drive: TestDrive, token: string, parts: readonly Buffer[], options: { length?: number; contentType?: string } = {}): Promise<RawAnswer> {
  const body = Buffer.concat(parts);
  const upload = await RawUpload.begin(drive, token, { length: body.length, ...options });
  await upload.write(body);
  return upload.answer();
}
