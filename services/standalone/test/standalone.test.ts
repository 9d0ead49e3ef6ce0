import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from './support/run.js';
import { LONG, Runs } from './support/runs.js';

let runs: Runs;

async function makeFolder(): Promise<void> {
  runs = await Runs.make();
}

describe('a running platform', () => {
  let run: Run;
  beforeAll(async () => {
    await makeFolder();
    run = await runs.startReady();
  }, LONG);
  afterAll(() => runs.end());

  it('has said where it is, who may enter and what to try', async () => {
    expect(run.output).toMatch(/Password +([a-z2-9]{5}-){3}[a-z2-9]{5} /);
    expect(run.output).toContain(`Address        http://127.0.0.1:${run.port}\n`);
    expect(run.output).toContain(`curl http://127.0.0.1:${run.port}/api/config/apps`);
    expect((await stat(join(runs.folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('puts mails into the outbox that it named', async () => {
    expect(run.output).toContain(`Mails          ${join(runs.folder, 'outbox')} `);
    const answer = await fetch(`http://127.0.0.1:${run.port}/api/auth/request-password-reset`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'admin@platform.local' }) });
    expect(answer.ok).toBe(true);
    const mails = async (): Promise<string[]> => (await readdir(join(runs.folder, 'outbox')).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
    while ((await mails()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await readFile(join(runs.folder, 'outbox', (await mails())[0] ?? ''), 'utf8')).toContain('To: admin@platform.local');
  });

  it('hands the optional settings of the Shell on to it', async () => {
    const wrong = await runs.start({ DATA_DIR: join(runs.folder, 'options'), APP_ENV_RESPONSE_ENVELOPE: 'Z' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output).toContain('APP_ENV_RESPONSE_ENVELOPE');
  }, LONG);

  it('serves the page, the samples and the Shell on one origin', async () => {
    for (const path of ['/', '/account/sessions']) {
      const page = await fetch(`http://127.0.0.1:${run.port}${path}`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const [, nonce = 'none'] = /script-src 'self' 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      expect((await page.text()).split(` nonce="${nonce}"`).length).toBeGreaterThan(2);
    }
    expect((await fetch(`http://127.0.0.1:${run.port}/assets/gone.js`, { headers: { accept: 'text/html' } })).status).toBe(404);
    expect(await run.json('/api/health')).toMatchObject({ status: 'UP' });
    expect(await run.json('/samples/hello/api/greetings?name=Ana')).toEqual({ message: 'Hello, Ana!' });
    expect(await run.json('/samples/status-board/api/status')).toMatchObject({ platform: { ok: true, value: { status: 'UP' } }, apps: { ok: true } });
    expect((await fetch(`http://127.0.0.1:${run.port}/samples/hello/api/greetings?name=`)).status).toBe(400);
    expect((await fetch(`http://127.0.0.1:${run.port}/samples/hello/api/none`)).status).toBe(404);
  });

  it.each(['hello', 'status-board'])('serves the sample %s as a satellite is served', async (slug) => {
    expect(await run.json(`/samples/${slug}/api/health`)).toEqual({ status: 'UP', version: '1.0.0' });
    expect(await run.json(`/samples/${slug}/api/doc/openapi.json`)).toMatchObject({ openapi: '3.0.3', paths: { '/health': {} } });
    expect((await fetch(`http://127.0.0.1:${run.port}/samples/${slug}/ui/remoteEntry.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('refuses a second start on the same data and names the process', async () => {
    const second = await runs.start();
    expect(await second.ended).toBe(1);
    expect(second.output).toContain(`in use by process ${run.child.pid}`);
  }, LONG);

  it('is told from a taken port, with a way out and before anything is made', async () => {
    const elsewhere = join(runs.folder, 'elsewhere');
    const other = await runs.start({ DATA_DIR: elsewhere }, run.port);
    expect(await other.ended).toBe(1);
    expect(other.output).toContain(`Port ${run.port} on 127.0.0.1 is taken by another program. Choose another one: make run PORT=${run.port + 1}`);
    expect(await readdir(elsewhere)).toEqual([]);
  }, LONG);

  it('logs to a file and not to the terminal', async () => {
    const lines = (await readFile(join(runs.folder, 'logs', 'platform.log'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as { service: string });
    expect(new Set(lines.map(({ service }) => service))).toEqual(new Set(['drive', 'operator', 'shell']));
    expect(run.output).not.toContain('"service"');
  });

  it('stops with an explanation when PostgreSQL ends by itself', async () => {
    const pid = Number((await readFile(join(runs.folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    expect(await run.ended).toBe(1);
    expect(run.output).toContain('PostgreSQL has ended: it was ended by SIGKILL');
  }, LONG);
});

describe('starts and stops', () => {
  beforeEach(makeFolder);
  afterEach(() => runs.end());

  it('say that the data folder cannot be used when it is a file', async () => {
    await writeFile(join(runs.folder, 'data'), '');
    const wrong = await runs.start({ DATA_DIR: join(runs.folder, 'data') });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output).toMatch(/The data folder .*data cannot be written \(EEXIST.*make run DATA_DIR=/);
  }, LONG);

  it('say what is wrong with the configuration before anything is made', async () => {
    const wrong = await runs.start({ LOG: 'loud', APP_ENV_ADMIN_EMAIL: 'nobody' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output).toMatch(/LOG: must be file or stdout/);
    expect(wrong.output).toMatch(/APP_ENV_ADMIN_EMAIL/);
    expect(await readdir(runs.folder)).toEqual([]);
  }, LONG);
});
