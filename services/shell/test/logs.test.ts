import { readdir, readFile } from 'node:fs/promises';
import { createLogger } from '@satellite/kit/telemetry';
import { eventually } from '@satellite/kit/testing';
import { ADMIN, OPERATOR, useShell, type TestShell } from './support/shell.js';

const shell = useShell();

/** Everything that a Shell logs at its loudest while `work` runs. */
async function logsOf(work: (logged: TestShell) => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const logger = createLogger({ service: 'shell', level: 'trace', destination: { write: (line: string) => void lines.push(line) } });
  // one outbox, since either process may send a mail
  const logged = await shell().second({ APP_ENV_MAIL_OUTBOX: shell().shell.container.config.mail.outbox }, logger);
  await work(logged);
  await logged.stop();
  return lines.join('');
}

describe('the log', () => {
  it('never holds a password, a token, a secret or a link, however a request ends', async () => {
    const secrets: string[] = [ADMIN.password, OPERATOR.clientSecret, 'a password nobody has', 'the password after that'];
    const logs = await logsOf(async (logged) => {
      const login = await logged.as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200);
      const { accessToken, refreshToken } = login.body.data;
      const service = await logged.as().post('/api/auth/service-token').send(OPERATOR).expect(200);
      const refreshed = await logged.as().post('/api/auth/refresh').send({ refreshToken }).expect(200);
      secrets.push(accessToken, refreshToken, service.body.data.accessToken, refreshed.body.data.accessToken, refreshed.body.data.refreshToken);
      await logged.as().post('/api/auth/local-login').send({ username: 'admin', password: 'a password nobody has' }).expect(401);
      await logged.as().post('/api/auth/local-login').type('json').send('{"username":"admin","password":"a password nobody has"').expect(400);
      await logged.as().post('/api/auth/service-token').send({ ...OPERATOR, extra: OPERATOR.clientSecret }).expect(400);
      await logged.as(accessToken).post('/api/auth/change-password').send({ currentPassword: 'a password nobody has', newPassword: 'the password after that' }).expect(400);
      await logged.as().post('/api/auth/request-password-reset').send({ email: ADMIN.email }).expect(204);
      const { outbox } = logged.shell.container.config.mail;
      await eventually(async () => (await readdir(outbox).catch(() => [])).some((name) => name.endsWith('.eml') && !name.startsWith('.')), 3000, 'the mail');
      const [mail = ''] = (await readdir(outbox)).filter((name) => !name.startsWith('.'));
      secrets.push(/token=3D([\w-]{20,})|token=([\w-]{20,})/.exec((await readFile(`${outbox}/${mail}`, 'utf8')).replace(/=\r?\n/g, ''))?.slice(1).find(Boolean) ?? 'no token in the mail');
      await logged.as(accessToken).get(`/api/nowhere?token=${accessToken}`).expect(404);
      await logged.as(accessToken).post('/api/auth/logout').expect(200);
    });
    expect(logs.split('\n').length).toBeGreaterThan(10);
    for (const secret of secrets) expect(logs.includes(secret) ? secret : 'absent').toBe('absent');
    expect(logs).not.toMatch(/PRIVATE KEY/);
  });

  it('cannot be given a second line or colours by a path', async () => {
    const logs = await logsOf(async (logged) => {
      await logged.as().get('/api/%0d%0a{"level":"error","forged":true}%1b[31m').expect(404);
    });
    const lines = logs.trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(logs).not.toContain('\u001b');
    expect(lines.some((line) => (JSON.parse(line) as { forged?: boolean }).forged === true)).toBe(false);
  });
});
