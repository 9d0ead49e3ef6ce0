import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import { webFiles } from './web-files.js';

const SCRIPT = `export const text = '${'much the same '.repeat(200)}';`;
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-files-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/app-a1b2c3d4.js'), SCRIPT);
  await writeFile(join(folder, 'assets/app-a1b2c3d4.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'remoteEntry.js'), 'export {};');
  await writeFile(join(folder, 'gone.js.gz'), gzipSync(SCRIPT));
  const app = express().use('/ui', webFiles(folder)).use((_request, response) => void response.status(404).send('nothing'));
  await rm(join(folder, 'gone.js.gz'));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

/** As it comes: fetch would unpack it. */
async function get(path: string, encoding?: string): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => request({ port, host: '127.0.0.1', path, agent: false, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } }, resolve).on('error', reject).end());
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

describe('files of a front-end', () => {
  it.each([undefined, 'identity', 'br', 'gzip;q=0'])('are sent as they are to whoever accepts %s', async (encoding) => {
    const { status, headers, body } = await get('/ui/assets/app-a1b2c3d4.js', encoding);
    expect([status, headers['content-encoding'], headers.vary, body.toString()]).toEqual([200, undefined, 'Accept-Encoding', SCRIPT]);
  });

  it('are sent compressed to whoever takes that, with the same type and time to live', async () => {
    const { status, headers, body } = await get('/ui/assets/app-a1b2c3d4.js?v=2', 'gzip, deflate, br');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' });
    expect(gunzipSync(body).toString()).toBe(SCRIPT);
    expect(body.length).toBeLessThan(SCRIPT.length / 4);
  });

  it('are asked for again when their name holds no hash', async () => {
    const { headers, body } = await get('/ui/remoteEntry.js', 'gzip');
    expect([headers['cache-control'], headers['content-encoding'], body.toString()]).toEqual(['no-cache', undefined, 'export {};']);
  });

  it.each(['/ui/gone.js', '/ui/assets/other.js', '/ui/../web-files.test.ts'])('are 404 when they are not there: %s', async (path) => {
    const { status, headers, body } = await get(path, 'gzip');
    expect([status, headers['content-encoding'], body.toString()]).toEqual([404, undefined, 'nothing']);
  });
});
