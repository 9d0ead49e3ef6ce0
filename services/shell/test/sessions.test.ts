import { readdir, readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { eventually } from '@satellite/kit/testing';
import { runJob } from './support/jobs.js';
import { ADMIN, useShell, type TestShell } from './support/shell.js';

const shell = useShell();
interface Tokens { accessToken: string; refreshToken: string }

/** A person with a password of their own, made straight in the database. */
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await shell().shell.container.hasher.hash('first password of ann');
});
async function person(): Promise<{ email: string; login: () => Promise<Tokens>; organizationId: string; userId: string }> {
  const org = await shell().organization();
  const token = await org.member(['users:list']);
  const { sub } = decodeJwt(token);
  await shell().query('update users set password_hash = ? where id = ?', [passwordHash, sub]);
  const email = `${sub}@example.org`;
  const login = async (): Promise<Tokens> => (await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: email, password: 'first password of ann' }).expect(200)).body.data;
  return { email, login, organizationId: org.id, userId: sub ?? '' };
}
const refresh = (refreshToken: string, on: TestShell = shell()) => on.as().post('/api/auth/refresh').send({ refreshToken });
const me = (token: string, on: TestShell = shell()) => on.as(token).get('/api/auth/me');

describe('refreshing', () => {
  it.each([[{}], [{ refreshToken: '' }], [{ refreshToken: 'unknown' }], [{ refreshToken: 'nul\0' }]])('refuses %j', async (body) => {
    const { error } = (await shell().as().post('/api/auth/refresh').send(body).expect(400)).body;
    expect(error.details.reason).toBe('auth.invalid_grant');
  });

  it('refuses an access token, and refuses its own token as an access token', async () => {
    const tokens = await (await person()).login();
    await refresh(tokens.accessToken).expect(400);
    await me(tokens.refreshToken).expect(401);
  });

  it('rotates: a new pair each time, in the same session', async () => {
    const first = await (await person()).login();
    const { data } = (await refresh(first.refreshToken).expect(200)).body;
    expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 });
    expect(data.refreshToken).not.toBe(first.refreshToken);
    expect(decodeJwt(data.accessToken)['sid']).toBe(decodeJwt(first.accessToken)['sid']);
    await me(data.accessToken).expect(200);
  });

  it('answers a repeated refresh the same within the grace, to the same client only', async () => {
    const first = await (await person()).login();
    const [a, b] = [await refresh(first.refreshToken).expect(200), await refresh(first.refreshToken).expect(200)];
    expect(b.body.data.refreshToken).toBe(a.body.data.refreshToken);
    const thief = await refresh(first.refreshToken).set('user-agent', 'another client').expect(400);
    expect(thief.body.error.details.reason).toBe('auth.invalid_grant');
    await refresh(a.body.data.refreshToken).expect(400);
  });

  it('ends the whole session when a replaced token comes back, the newest tokens too', async () => {
    const first = await (await person()).login();
    const second = (await refresh(first.refreshToken).expect(200)).body.data;
    const third = (await refresh(second.refreshToken).expect(200)).body.data;
    await refresh(first.refreshToken).expect(400);
    await refresh(third.refreshToken).expect(400);
    await me(third.accessToken).expect(401);
    const [session] = await shell().query<{ reason: string }>('select end_reason as reason from sessions where id = ?', [decodeJwt(first.accessToken)['sid']]);
    expect(session?.reason).toBe('reuse');
  });

  it('ends it too when the grace is over', async () => {
    const first = await (await person()).login();
    await refresh(first.refreshToken).expect(200);
    await shell().query(`update refresh_tokens set replaced_at = replaced_at - interval '11 seconds' where replaced_at is not null and session_id = ?`, [decodeJwt(first.accessToken)['sid']]);
    await refresh(first.refreshToken).expect(400);
    await me(first.accessToken).expect(401);
  });

  it('never makes two families of 20 parallel refreshes', async () => {
    const first = await (await person()).login();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refreshToken)));
    const successors = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.refreshToken));
    expect(successors.size).toBe(1);
    const [row] = await shell().query<{ live: string }>('select count(*) as live from refresh_tokens where replaced_at is null and session_id = ?', [decodeJwt(first.accessToken)['sid']]);
    expect(row?.live).toBe('1');
  });

  it.each([
    ['the person is suspended', `update users set status = 'suspended' where id = $user`],
    ['the organization is suspended', `update organizations set status = 'suspended' where id = $org`],
    ['the session has run out', `update sessions set expires_at = now() where user_id = $user`],
  ])('is refused after %s', async (_case, sql) => {
    const who = await person();
    const { refreshToken, accessToken } = await who.login();
    await shell().query(sql.replace(/\$user|\$org/, '?'), [sql.includes('$user') ? who.userId : who.organizationId]);
    await refresh(refreshToken).expect(400);
    await me(accessToken).expect(401);
  });
});

describe('logout', () => {
  it.each(['get', 'post'] as const)('%s ends the session in every process and for good', async (method) => {
    const second = await shell().second();
    const tokens = await (await person()).login();
    await me(tokens.accessToken, second).expect(200);
    const { body } = await shell().as(tokens.accessToken)[method]('/api/auth/logout').expect(200);
    expect(body.data).toEqual({ message: 'Signed out' });
    for (const on of [shell(), second]) {
      await me(tokens.accessToken, on).expect(401);
      await refresh(tokens.refreshToken, on).expect(400);
    }
    await shell().redis.flushall();
    await me(tokens.accessToken).expect(401);
    await shell().as(tokens.accessToken)[method]('/api/auth/logout').expect(401);
    await second.stop();
  });
});

describe('own sessions', () => {
  it('are listed and ended one by one, never those of others', async () => {
    const [ann, bob] = [await person(), await person()];
    const [here, there, foreign] = [await ann.login(), await ann.login(), await bob.login()];
    const { data } = (await shell().as(here.accessToken).get('/api/auth/sessions').expect(200)).body;
    expect(data.filter((row: { current: boolean }) => row.current)).toHaveLength(1);
    const other = data.find((row: { id: string }) => row.id === decodeJwt(there.accessToken)['sid']);
    expect(other).toMatchObject({ current: false, providerId: null, address: expect.any(String) });
    await shell().as(here.accessToken).delete(`/api/auth/sessions/${decodeJwt(foreign.accessToken)['sid']}`).expect(404);
    await me(foreign.accessToken).expect(200);
    await shell().as(here.accessToken).delete(`/api/auth/sessions/${other.id}`).expect(204);
    await me(there.accessToken).expect(401);
    await me(here.accessToken).expect(200);
  });
});

describe('the own account', () => {
  it('is shown with its organization, roles and permissions', async () => {
    const who = await person();
    const { data } = (await me((await who.login()).accessToken).expect(200)).body;
    expect(data).toMatchObject({ id: who.userId, email: who.email, firstName: 'Ann', organizationId: who.organizationId, organization: { id: who.organizationId, type: 'company', subscriptionPlan: 'HOBBY' }, preferences: {}, permissions: ['users:list'] });
    expect(JSON.stringify(data)).not.toContain('password');
  });

  it('keeps preferences of any name, merged key by key, also when two clients write at once', async () => {
    const { accessToken } = await (await person()).login();
    const put = (body: object) => shell().as(accessToken).put('/api/auth/me/preferences').send(body);
    await Promise.all(Array.from({ length: 10 }, (_, n) => put({ [`key${n}`]: n }).expect(200)));
    const { data } = (await put({ theme: 'dark', key0: null, nested: { a: [1] } }).expect(200)).body;
    expect(Object.keys(data).sort()).toEqual(['key1', 'key2', 'key3', 'key4', 'key5', 'key6', 'key7', 'key8', 'key9', 'nested', 'theme']);
    expect((await me(accessToken)).body.data.preferences).toEqual(data);
    await put({ big: 'x'.repeat(20_000) }).expect(400);
    await put(JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)).expect(400);
    await shell().as(accessToken).put('/api/auth/me/preferences').type('json').send('[1]').expect(400);
    for (const text of ['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":["\\ud800"]}', '{"\\udc00":1}']) await shell().as(accessToken).put('/api/auth/me/preferences').type('json').send(text).expect(400);
    await shell().as(accessToken).put('/api/auth/me/preferences').type('json').send('{"__proto__":{"admin":true}}').expect(200);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('changes its password, which ends every session', async () => {
    const who = await person();
    const [here, there] = [await who.login(), await who.login()];
    const change = (body: object) => shell().as(here.accessToken).post('/api/auth/change-password').send(body);
    await change({ currentPassword: 'wrong', newPassword: 'second password' }).expect(400);
    await change({ currentPassword: 'first password of ann', newPassword: 'short' }).expect(400);
    await change({ currentPassword: 'first password of ann', newPassword: 'password123' }).expect(400);
    await change({ currentPassword: 'first password of ann', newPassword: 'x'.repeat(73) }).expect(400);
    await change({ currentPassword: 'first password of ann', newPassword: 'first password of ann' }).expect(400);
    await me(there.accessToken).expect(200);
    await change({ currentPassword: 'first password of ann', newPassword: 'second password' }).expect(204);
    for (const tokens of [here, there]) {
      await me(tokens.accessToken).expect(401);
      await refresh(tokens.refreshToken).expect(400);
    }
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: who.email, password: 'first password of ann' }).expect(401);
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: who.email, password: 'second password' }).expect(200);
  });
});

describe('a password that changes while it is checked', () => {
  it('begins no session: the change has ended them all', async () => {
    const who = await person();
    const { accessToken } = await who.login();
    const hasher = shell().shell.container.hasher;
    const slow = jest.spyOn(hasher, 'verify');
    let changed: Promise<unknown> = Promise.resolve();
    slow.mockImplementationOnce(async () => {
      slow.mockRestore();
      changed = shell().as(accessToken).post('/api/auth/change-password').send({ currentPassword: 'first password of ann', newPassword: 'a password after it' }).expect(204);
      await changed;
      return true; // it was right when it was read
    });
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: who.email, password: 'first password of ann' }).expect(401);
    expect(await shell().query('select from sessions where user_id = ? and ended_at is null', [who.userId])).toEqual([]);
  });

  it('is not put back by a hash of other rounds', async () => {
    const who = await person();
    const stronger = await shell().second({ APP_ENV_PASSWORD_COST: '5' });
    await stronger.as().post('/api/auth/local-login').send({ usernameOrEmail: who.email, password: 'first password of ann' }).expect(200);
    const [row] = await shell().query<{ hash: string }>('select password_hash as hash from users where id = ?', [who.userId]);
    expect(row?.hash).toMatch(/^\$2b\$05\$/);
    await stronger.stop();
  });
});

describe('housekeeping', () => {
  it('removes what has run out and nothing else', async () => {
    const who = await person();
    const [old, live] = [await who.login(), await who.login()];
    await shell().query(`update sessions set expires_at = now() - interval '31 days' where id = ?`, [decodeJwt(old.accessToken)['sid']]);
    await shell().query(`insert into sign_in_failures (key, failures, last_failure_at) values ('name:stranger', 3, now() - interval '2 hours'), ('name:recent', 3, now()), ('name:locked', 9, now() - interval '2 hours')`);
    await shell().query(`update sign_in_failures set locked_until = now() + interval '1 minute' where key = 'name:locked'`);
    await runJob(shell(), 'housekeeping');
    const keys = await shell().query<{ key: string }>(`select key from sign_in_failures where key in ('name:stranger', 'name:recent', 'name:locked') order by key`);
    expect(keys.map(({ key }) => key)).toEqual(['name:locked', 'name:recent']);
    const left = await shell().query<{ id: string }>('select id from sessions where user_id = ?', [who.userId]);
    expect(left.map(({ id }) => id)).toContain(decodeJwt(live.accessToken)['sid']);
    expect(left.map(({ id }) => id)).not.toContain(decodeJwt(old.accessToken)['sid']);
    await me(live.accessToken).expect(200);
  });
});

describe('resetting a password', () => {
  const outbox = (): string => shell().shell.container.config.mail.outbox;
  async function mailsTo(address: string): Promise<string[]> {
    const names = await readdir(outbox()).catch(() => []);
    const mails = await Promise.all(names.filter((name) => !name.startsWith('.')).sort().map((name) => readFile(`${outbox()}/${name}`, 'utf8')));
    return mails.filter((mail) => mail.includes(`To: ${address}`));
  }
  async function linkFor(address: string, nth: number): Promise<string> {
    await shell().as().post('/api/auth/request-password-reset').set('host', 'evil.test').set('x-forwarded-host', 'evil.test').set('forwarded', 'host=evil.test').send({ email: address }).expect(204);
    await eventually(async () => (await mailsTo(address)).length === nth, 3000, 'the mail');
    const mail = ((await mailsTo(address))[nth - 1] ?? '').replace(/=\r?\n/g, '').replace(/=3D/g, '=');
    expect(mail).not.toContain('evil');
    return /http:\/\/platform\.test\/reset-password\?token=([\w-]+)/.exec(mail)?.[1] ?? 'no link in the mail';
  }
  const confirm = (token: string, newPassword = 'a password after the reset') => shell().as().post('/api/auth/confirm-password-reset').send({ token, newPassword });

  it('answers the same for an unknown address, and sends nothing', async () => {
    const { status, text } = await shell().as().post('/api/auth/request-password-reset').send({ email: 'nobody@example.org' });
    expect([status, text]).toEqual([204, '']);
    await shell().shell.container.mail.drain();
    expect(await mailsTo('nobody@example.org')).toEqual([]);
    await shell().as().post('/api/auth/request-password-reset').send({ email: 'not an address' }).expect(400);
  });

  it('sets the password once and ends every session', async () => {
    const who = await person();
    const tokens = await who.login();
    const token = await linkFor(who.email, 1);
    await confirm('another-token').expect(400);
    await confirm(token, 'short').expect(400);
    await me(tokens.accessToken).expect(200);
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
    await me(tokens.accessToken).expect(401);
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: who.email, password: 'a password after the reset' }).expect(200);
    await me(token).expect(401);
  });

  it('refuses a link that is older than another one, has run out, or was for another address', async () => {
    const who = await person();
    const older = await linkFor(who.email, 1);
    const newer = await linkFor(who.email, 2);
    await confirm(older).expect(400);
    await shell().query(`update users set email = 'moved-' || email where id = ?`, [who.userId]);
    await confirm(newer).expect(400);
    await shell().query(`update users set email = ? where id = ?`, [who.email, who.userId]);
    await shell().query('update password_links set expires_at = now() where user_id = ?', [who.userId]);
    await confirm(newer).expect(400);
  });

  it('leaves no link behind in the database once the mail is sent', async () => {
    const who = await person();
    await linkFor(who.email, 1);
    await eventually(async () => (await shell().query('select from mail_outbox where recipient = ? and sent_at is null', [who.email])).length === 0, 2000);
    const [row] = await shell().query<{ body: string }>('select body from mail_outbox where recipient = ?', [who.email]);
    expect(row?.body).toBe('');
  });
});

describe('failed sign-ins', () => {
  const attempt = (name: string, password = 'wrong') => shell().as().post('/api/auth/local-login').send({ usernameOrEmail: name, password });

  it('lock the name, whether anybody has it or not, and the right password too; others are free', async () => {
    const [ann, bob] = [await person(), await person()];
    for (const name of [ann.email, 'nobody-at-all@example.org']) {
      const statuses: number[] = [];
      for (let n = 0; n < 8; n += 1) statuses.push((await attempt(name)).status);
      expect(statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401]);
      expect(statuses.slice(6)).toContain(429);
    }
    await shell().query(`update sign_in_failures set locked_until = now() + interval '60 seconds' where key = ?`, [`account:${ann.userId}`]);
    const locked = await attempt(ann.email, 'first password of ann').set('x-forwarded-for', '203.0.113.9').expect(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(50);
    await bob.login();
    await shell().query(`update sign_in_failures set locked_until = now() where key = ?`, [`account:${ann.userId}`]);
    await ann.login();
    expect(await shell().query('select from sign_in_failures where key = ?', [`account:${ann.userId}`])).toEqual([]);
  });

  it('count for the person, whatever the spelling: the database folds letters that JavaScript does not', async () => {
    const ann = await person();
    await shell().query(`update users set username = 'ivi' || substr(id::text, 1, 8) where id = ?`, [ann.userId]);
    const name = `ivi${ann.userId.slice(0, 8)}`;
    for (const alias of [ann.email, ann.email.toUpperCase(), name, name.toUpperCase(), name.replace('i', '\u0130'), ann.email]) await attempt(alias);
    const rows = await shell().query<{ key: string; failures: number }>(`select key, failures from sign_in_failures where key = ? or key like 'name:%vi%'`, [`account:${ann.userId}`]);
    expect(rows.filter(({ key }) => key.startsWith('account:'))).toEqual([{ key: `account:${ann.userId}`, failures: expect.any(Number) }]);
    expect(rows.reduce((sum, { failures }) => sum + failures, 0)).toBeGreaterThanOrEqual(6);
  });

  it('lock the guessing of the current password as well, without locking the sign-in', async () => {
    const ann = await person();
    const { accessToken } = await ann.login();
    const guess = () => shell().as(accessToken).post('/api/auth/change-password').send({ currentPassword: 'wrong', newPassword: 'another long password' });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await guess()).status);
    expect(statuses).toContain(429);
    await ann.login();
  });

  it('are all counted when they come at once', async () => {
    const name = 'parallel@example.org';
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(name)));
    const checked = answers.filter(({ status }) => status === 401).length;
    const [row] = await shell().query<{ failures: number }>('select failures from sign_in_failures where key = ?', [`name:${name}`]);
    expect(row?.failures).toBe(checked);
    expect(checked).toBeLessThanOrEqual(7);
  });
});

describe('limits by address', () => {
  const limited = useShell({ APP_ENV_LIMIT_LOGIN_PER_MINUTE: '3', APP_ENV_LIMIT_RESET_PER_MINUTE: '1' });

  it('answer 429 with headers that say when to come back, whatever the client says its address is', async () => {
    const attempt = () => limited().as().post('/api/auth/local-login').send({ usernameOrEmail: 'somebody', password: '' });
    const answers = [await attempt(), await attempt(), await attempt(), await attempt()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(answers[0]?.headers).toMatchObject({ 'ratelimit-policy': '"login";q=3;w=60', ratelimit: expect.stringMatching(/^"login";r=2;t=\d+$/) });
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(answers[3]?.body.error.code).toBe('RATE_LIMITED');
    await limited().as().post('/api/auth/request-password-reset').send({ email: 'a@b.c' }).expect(204);
    await limited().as().post('/api/auth/request-password-reset').send({ email: 'a@b.c' }).expect(429);
    await limited().as().post('/api/auth/local-login').set('x-forwarded-for', '203.0.113.7').send({ usernameOrEmail: ADMIN.email, password: 'x' }).expect(429);
  });

  it('go on while Redis is away', async () => {
    const away = jest.spyOn(limited().redis, 'eval').mockRejectedValue(new Error('Connection is closed.'));
    const attempt = () => limited().as().post('/api/auth/local-login').send({ usernameOrEmail: 'somebody else', password: '' });
    const statuses = [(await attempt()).status, (await attempt()).status, (await attempt()).status, (await attempt()).status];
    away.mockRestore();
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
