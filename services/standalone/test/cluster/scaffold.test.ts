import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@satellite/kit/testing';
import { freePort, ROOT, Run } from '../support/run.js';

const run = promisify(execFile);
const SLUG = 'field-notes';

/** The acceptance test of the architecture: a new satellite joins the platform, and no file of the Shell was changed for it. */
describe('a satellite from the scaffold', () => {
  let folder: string;
  let data: string;
  let platform: Run | undefined;

  beforeAll(async () => {
    // inside the repository, where its packages are found
    await mkdir(join(ROOT, '.cache'), { recursive: true });
    folder = join(await mkdtemp(join(ROOT, '.cache', 'scaffold-')), SLUG);
    data = await mkdtemp(join(tmpdir(), 'satellite-scaffold-'));
    await run(process.execPath, [join(ROOT, 'hack/scaffold/new-service.mjs'), SLUG, folder]);
    await run(join(ROOT, 'node_modules/.bin/tsoa'), ['spec-and-routes', '-c', 'tsoa.json'], { cwd: folder });
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], { cwd: folder });
    platform = await new Run(data, await freePort(), { SATELLITE_FOLDERS: folder }).says('Ready');
  }, 120_000);
  afterAll(async () => {
    await platform?.stop();
    await rm(join(folder, '..'), { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  }, 60_000);

  const send = async (method: string, path: string, token?: string, body?: object): Promise<{ status: number; body: { data: never } }> => {
    const response = await fetch(`http://127.0.0.1:${platform?.port}${path}`, { method, headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as { data: never } };
  };

  it('is in the launchpad, gives tokens, asks the Shell for permissions, and keeps organizations apart', async () => {
    await eventually(async () => (((await send('GET', '/api/config/apps')).body.data) as { slug: string }[]).some(({ slug }) => slug === SLUG), 30_000, 'the launchpad entry');
    const register = async (name: string): Promise<string> => {
      const { body } = await send('POST', '/api/auth/register', undefined, { email: `${name}@example.org`, username: name, password: 'a password to remember', firstName: name, lastName: 'Example', plan: 'HOBBY' });
      const exchanged = await send('POST', '/api/auth/exchange', (body.data as { accessToken: string }).accessToken, { service: SLUG });
      return (exchanged.body.data as { accessToken: string }).accessToken;
    };
    const [ann, eve] = [await register('ann'), await register('eve')];
    expect((await send('GET', `/${SLUG}/api/items`)).status).toBe(401);
    expect((await send('POST', `/${SLUG}/api/items`, ann, { name: 'the first' })).status).toBe(201);
    expect((await send('GET', `/${SLUG}/api/items`, ann)).body.data).toMatchObject([{ name: 'the first' }]);
    expect((await send('GET', `/${SLUG}/api/items`, eve)).body.data).toEqual([]);
  }, 60_000);
});
