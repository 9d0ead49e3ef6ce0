import { randomUUID } from 'node:crypto';
import { useShell } from './support/shell.js';

const shell = useShell();
const registration = (over: object = {}) => {
  const name = `ann-${randomUUID().slice(0, 8)}`;
  return { email: `${name}@example.org`, username: name, password: 'a password to remember', firstName: 'Ann', lastName: 'Example', plan: 'HOBBY', ...over };
};
const register = (body: object) => shell().as().post('/api/auth/register').send(body);
const count = async (): Promise<string | undefined> => (await shell().query<{ count: string }>('select count(*) from organizations'))[0]?.count;

describe('registering', () => {
  it.each([
    ['email', { email: 'no address' }], ['username', { username: 'a b' }], ['username', { username: 'ann@example.org' }], ['password', { password: 'short' }], ['password', { password: 'password1' }],
    ['password', { password: 'x'.repeat(73) }], ['password', { password: 'nul\0nul\0nul' }], ['firstName', { firstName: '' }], ['lastName', { lastName: 'two\nlines' }], ['plan', { plan: 'GOLD' }],
    ['roles', { roles: ['SUPER_ADMIN'] }], ['organizationId', { organizationId: randomUUID() }], ['emailVerified', { emailVerified: true }], ['isSuperAdmin', { isSuperAdmin: true }], ['passwordHash', { passwordHash: 'x' }],
  ])('refuses a wrong %s and makes nothing: %j', async (field, over) => {
    const before = await count();
    const { error } = (await register(registration(over)).expect(400)).body;
    expect(error.details.fields.map((problem: { field: string }) => problem.field)).toContain(field);
    expect(await count()).toBe(before);
  });

  it('makes the person, an organization of their own on the plan, and signs them in as its administrator', async () => {
    const body = registration({ plan: 'PRO' });
    const { data } = (await register(body).expect(201)).body;
    expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600, refreshToken: expect.any(String), user: { email: body.email, username: body.username } });
    const me = (await shell().as(data.accessToken).get('/api/auth/me').expect(200)).body.data;
    expect(me).toMatchObject({ organization: { name: 'Ann Example', subscriptionPlan: 'PRO' }, roles: ['ADMIN'] });
    await shell().as(data.accessToken).get('/api/users').expect(200);
    await shell().as(data.accessToken).get('/api/admin/apps').expect(403);
    await shell().as().post('/api/auth/local-login').send({ username: body.username, password: body.password }).expect(200);
  });

  it('takes the longest names', async () => {
    await register(registration({ firstName: 'F'.repeat(100), lastName: 'L'.repeat(100) })).expect(201);
  });

  it('refuses an address or a name in use, whatever the case, and one of two at once', async () => {
    const body = registration();
    await register(body).expect(201);
    expect((await register(registration({ email: body.email.toUpperCase() })).expect(409)).body.error.details.reason).toBe('users.email_in_use');
    expect((await register(registration({ username: body.username.toUpperCase() })).expect(409)).body.error.details.reason).toBe('users.username_in_use');
    const before = Number(await count());
    const twice = registration();
    const answers = await Promise.all([1, 2, 3].map(() => register(twice)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(Number(await count())).toBe(before + 1);
  });
});
