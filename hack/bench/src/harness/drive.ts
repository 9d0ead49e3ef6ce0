import { randomBytes } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '@satellite/kit/testing';
import type { BenchTools } from '../bench.js';
import { startShell } from './platform.js';
import { ServerProcess } from './server-process.js';

const BOUNDARY = 'bench-boundary';
/** As Drive's image starts it: a small young generation, so that chunks of files which have passed are freed at once and not only after 64 MB of them. */
const NODE_FLAGS = ['--max-semi-space-size=1'];
const CLIENT = { slug: 'drive', clientId: 'drive-service', clientSecret: randomBytes(24).toString('hex') };

/** The store behind a bare server: what Drive is compared with. */
export class BareStore {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  private constructor(private readonly server: ServerProcess) {}

  static async start({ folder, atEnd }: BenchTools): Promise<BareStore> {
    const server = await ServerProcess.start({ name: 'bare store', script: fileURLToPath(new URL('../servers/bare-store.js', import.meta.url)), nodeFlags: NODE_FLAGS, portVariable: 'PORT', readyPath: '/ready', folder, environment: { STORE_FOLDER: join(folder, 'raw-files') } });
    atEnd(() => server.stop());
    return new BareStore(server);
  }

  async put(key: string, chunk: Buffer, times: number): Promise<void> {
    const call = request(`${this.server.url}/${key}`, { method: 'PUT', agent: this.agent, headers: { 'content-length': String(chunk.length * times) } });
    const answered = responseOf(call);
    await writeAll(call, chunk, times);
    call.end();
    await bytesOf(await answered, 200);
  }

  async get(key: string): Promise<number> {
    const call = request(`${this.server.url}/${key}`, { agent: this.agent }).end();
    return sizeOf(await responseOf(call));
  }
}

/** A real Drive in a process of its own, beside a real Shell, and somebody who may use it. */
export class BenchDrive {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  private constructor(
    readonly server: ServerProcess,
    readonly databaseUrl: string,
    private readonly token: string,
  ) {}

  static async start(tools: BenchTools): Promise<BenchDrive> {
    const shell = await startShell(tools, { APP_ENV_APP_CLIENTS: JSON.stringify([CLIENT]) });
    await shell.asAdmin('POST', '/api/admin/apps', { slug: 'drive', name: 'Drive', type: 'satellite', apiUrl: '/drive/api', permissions: [{ code: 'drive.files:read' }, { code: 'drive.files:write' }], limitKeys: [{ key: 'drive.storage_bytes' }], organizations: { all: true, slugs: [] } });
    await query(shell.databaseUrl, `insert into plan_limits (plan_id, limit_key, limit_value, period) select id, 'drive.storage_bytes', -1, 'total' from plans where code = 'HOBBY'`);
    const databaseUrl = await shell.createDatabase('drive');
    tools.say('starting Drive');
    const server = await ServerProcess.start({
      name: 'Drive',
      script: fileURLToPath(new URL('../servers/drive.js', import.meta.url)),
      nodeFlags: NODE_FLAGS,
      portVariable: 'APP_ENV_PORT',
      readyPath: '/readyz',
      folder: tools.folder,
      environment: {
        DATABASE_URL: databaseUrl, APP_ENV_PUBLIC_URL: 'http://platform.test/drive', APP_ENV_SHELL_URL: shell.server.url, APP_ENV_JWT_ISSUER: 'http://platform.test', APP_ENV_JWT_AUDIENCE: 'platform',
        APP_ENV_CLIENT_ID: CLIENT.clientId, APP_ENV_CLIENT_SECRET: CLIENT.clientSecret, APP_ENV_LINK_KEYS: randomBytes(32).toString('base64'), APP_ENV_STORAGE_FOLDER: join(tools.folder, 'drive-files'),
      },
    });
    tools.atEnd(() => server.stop());
    return new BenchDrive(server, databaseUrl, await tokenOf(shell.server.url, server.url));
  }

  /** Uploads a file made of this chunk, so often; answers its id. */
  async upload(name: string, chunk: Buffer, times: number): Promise<string> {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const tail = `\r\n--${BOUNDARY}--\r\n`;
    const call = this.request('POST', '/api/files/upload', { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': String(head.length + chunk.length * times + tail.length) });
    const answered = responseOf(call);
    call.write(head);
    await writeAll(call, chunk, times);
    call.end(tail);
    const { data } = JSON.parse((await bytesOf(await answered, 201)).toString()) as { data: { id: string } };
    return data.id;
  }

  /** Fetches a file and answers how many bytes it has. */
  async download(id: string): Promise<number> {
    const call = this.request('GET', `/api/files/${id}/download`, {});
    call.end();
    const response = await responseOf(call);
    return sizeOf(response);
  }

  async get(path: string): Promise<unknown> {
    const call = this.request('GET', path, {});
    call.end();
    return JSON.parse((await bytesOf(await responseOf(call), 200)).toString());
  }

  private request(method: string, path: string, headers: Record<string, string>) {
    return request(this.server.url + path, { method, agent: this.agent, headers: { authorization: `Bearer ${this.token}`, ...headers } });
  }
}

async function writeAll(call: ReturnType<typeof request>, chunk: Buffer, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) if (!call.write(chunk)) await new Promise((resolve) => call.once('drain', resolve));
}

async function sizeOf(response: IncomingMessage): Promise<number> {
  if (response.statusCode !== 200) throw new Error(`a download answers ${response.statusCode}`);
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  return size;
}

function responseOf(call: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => call.once('response', resolve).once('error', reject));
}

async function bytesOf(response: IncomingMessage, status: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (response.statusCode !== status) throw new Error(`${response.statusCode} instead of ${status}: ${body.toString().slice(0, 500)}`);
  return body;
}

async function tokenOf(shellUrl: string, driveUrl: string): Promise<string> {
  const post = async <T>(url: string, body: object): Promise<T> => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { data } = await post<{ data: { accessToken: string } }>(`${shellUrl}/api/auth/register`, { email: 'drive@example.org', username: 'drive', password: 'a password to remember', firstName: 'Dri', lastName: 'Ve', plan: 'HOBBY' });
  return (await post<{ access_token: string }>(`${driveUrl}/api/auth/exchange`, { token: data.accessToken })).access_token;
}
