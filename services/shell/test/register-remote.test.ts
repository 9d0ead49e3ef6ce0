import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { useShell } from './support/shell.js';

/** A remote on loopback whose answers each test decides; the deployment allows its address and nothing else. */
let answer: RequestListener = (_request, response) => response.end();
let requests = 0;
let server: Server;
const remote = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const shell = useShell(async () => {
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { APP_ENV_OUTBOUND_ALLOW: new URL(remote()).host };
});
let admin: string;
beforeAll(async () => {
  admin = await (await shell().organization()).member(['apps:write']);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = 0;
});

const descriptor = (slug: string, over: object = {}) => ({ slug, name: 'Remote', type: 'satellite', apiUrl: '/api', version: '1.0.0', ...over });
function serve(files: Record<string, unknown>): void {
  answer = (request, response) => {
    const body = files[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
const register = (body: object) => shell().as(admin).post('/api/admin/apps/register-remote').send(body);
const count = async (): Promise<number> => Number((await shell().query<{ count: string }>('select count(*) from apps'))[0]?.count);

describe('register-remote', () => {
  it.each([
    'http://127.0.0.1/', 'http://localhost/ui', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://10.0.0.1/', 'http://172.16.0.1/', 'http://192.168.0.1/', 'http://100.64.0.1/',
    'http://0x7f.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://0.0.0.0/', 'http://[::ffff:127.0.0.1]/', 'http://[fd00::1]/', 'http://[fe80::1]/', 'http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/',
    'file:///etc/passwd', 'gopher://127.0.0.1/', 'data:text/html,x', 'javascript:alert(1)', 'http://public.example\\@127.0.0.1/', 'http://user:pw@127.0.0.1/', '//127.0.0.1/', '/ui', '',
  ])('refuses %s with 400 and connects to nobody', async (uiUrl) => {
    const { body } = await register({ uiUrl }).expect(400);
    expect(body.error.code).toMatch(/^(BAD_REQUEST|VALIDATION_ERROR)$/);
    expect(requests).toBe(0);
    expect(await count()).toBe(0);
  });

  it.each([
    ['has no descriptor', {}, 'apps.remote_descriptor_missing'],
    ['serves something that is not JSON', { '/ui/satellite.json': '<html>' }, 'apps.remote_descriptor_invalid'],
    ['serves a list', { '/ui/satellite.json': [] }, 'apps.remote_descriptor_invalid'],
    ['leaves fields out', { '/ui/satellite.json': { slug: 'half' } }, 'apps.remote_descriptor_invalid'],
    ['has unknown fields', { '/ui/satellite.json': descriptor('extra', { managedBy: 'operator' }) }, 'apps.remote_descriptor_invalid'],
    ['names a script as its API', { '/ui/satellite.json': descriptor('script', { apiUrl: 'javascript:alert(1)' }) }, 'apps.remote_descriptor_invalid'],
    ['has a broken federation manifest', { '/ui/satellite.json': descriptor('broken'), '/ui/mf-manifest.json': { id: 1 } }, 'apps.remote_manifest_invalid'],
  ])('refuses a remote that %s with 422 and writes nothing', async (_case, files, reason) => {
    serve(files);
    const { body } = await register({ uiUrl: `${remote()}/ui` }).expect(422);
    expect(body.error).toMatchObject({ code: 'UNPROCESSABLE', details: { reason } });
    expect(await count()).toBe(0);
  });

  it('stops reading an answer that is too large, endless, or packed', async () => {
    const endless: RequestListener = (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    for (const bad of [
      endless,
      ((_request, response) => response.writeHead(200, { 'content-length': '1000000000' }).write('{')) as RequestListener,
      ((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)))) as RequestListener,
    ]) {
      answer = bad;
      const { body } = await register({ uiUrl: `${remote()}/ui` }).expect(422);
      expect(body.error.details.reason).toBe('outbound.too_large');
    }
  });

  it('checks every redirect like the first address', async () => {
    for (const location of ['http://169.254.169.254/', 'http://127.0.0.1:1/', 'file:///etc/passwd']) {
      answer = (_request, response) => response.writeHead(302, { location }).end();
      await register({ uiUrl: `${remote()}/ui` }).expect(400);
    }
    answer = (request, response) => response.writeHead(302, { location: request.url }).end();
    const { body } = await register({ uiUrl: `${remote()}/ui` }).expect(400);
    expect(body.error.details.reason).toBe('outbound.redirect_refused');
    expect(await count()).toBe(0);
  });

  it('says when nobody answers', async () => {
    answer = (request) => request.socket.destroy();
    const { body } = await register({ uiUrl: `${remote()}/ui` }).expect(422);
    expect(body.error.details.reason).toBe('outbound.unreachable');
  });

  it('registers what the remote says, resolved against its address', async () => {
    serve({ '/ui/satellite.json': descriptor('remote-app', { permissions: [{ code: 'remote-app.things:read' }] }), '/ui/mf-manifest.json': { name: 'remote_app', exposes: [{ path: './App' }] } });
    const { body } = await register({ uiUrl: `${remote()}/ui/` }).expect(201);
    expect(body.data).toMatchObject({ slug: 'remote-app', uiUrl: `${remote()}/ui`, apiUrl: `${remote()}/api`, remoteEntry: `${remote()}/ui/remoteEntry.js`, managedBy: 'api', metadata: { remoteName: 'remote_app', exposedModule: './App' } });
    await register({ uiUrl: `${remote()}/ui` }).expect(409);
    expect((await register({ uiUrl: `${remote()}/ui`, slug: 'other-slug' }).expect(409)).body.error.details.reason).toBe('apps.declaration_in_use');
    serve({ '/ui/satellite.json': descriptor('remote-app') });
    expect((await register({ uiUrl: `${remote()}/ui`, slug: 'other-slug' }).expect(201)).body.data.slug).toBe('other-slug');
  });
});
