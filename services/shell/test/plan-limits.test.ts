import { randomUUID } from 'node:crypto';
import { registeredApp } from './support/gateway.js';
import { personIn, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { useShell } from './support/shell.js';

const shell = useShell();
const AT_ONCE = 20;

/** Somebody who administers an organization with these limits. */
async function ownerWith(limits: readonly { limitKey: string; limitValue: number; period: string }[]): Promise<Person> {
  return personIn(shell(), await organizationOn(shell(), await planWith(shell(), { limits })), { systemRole: 'ADMIN' });
}
const people = (limitValue: number, period = 'total') => [{ limitKey: 'users', limitValue, period }];
const apps = (limitValue: number) => [{ limitKey: 'apps', limitValue, period: 'total' }];
const newUser = (over: object = {}) => {
  const username = `u${randomUUID().slice(0, 8)}`;
  return { email: `${username}@example.org`, username, firstName: 'Bob', lastName: 'Example', ...over };
};
const create = (owner: Person, over: object = {}) => shell().as(owner.token).post('/api/users').send(newUser(over));
const usersOf = async ({ organizationId }: Person): Promise<number> => (await shell().query('select from users where organization_id = ?', [organizationId])).length;
const usageOf = async (person: Person, limitKey: string) => (await shell().as(person.token).get('/api/subscriptions/usage').expect(200)).body.data.find((usage: { limitKey: string }) => usage.limitKey === limitKey);

describe('the limit on people', () => {
  it('refuses one too many, and says what to change', async () => {
    const owner = await ownerWith(people(2));
    await create(owner).expect(201);
    const { error } = (await create(owner).expect(429)).body;
    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', message: 'The plan allows 2 people, and there are 2. Remove somebody first, or take a larger plan.', details: { reason: 'subscriptions.quota_exceeded', limitKey: 'users', limit: 2, used: 2, resetAt: null } });
    expect(await usersOf(owner)).toBe(2);
    expect(await usageOf(owner, 'users')).toMatchObject({ limit: 2, used: 2, remaining: 0 });
  });

  it.each([['invited', {}], ['with a password', { password: 'a password to remember' }]])(`lets exactly 3 of ${AT_ONCE} at once in when 3 places are left, %s, by two Shells`, async (_how, over) => {
    const other = await shell().second();
    const owner = await ownerWith(people(5));
    await create(owner).expect(201);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => (n % 2 === 0 ? shell() : other).as(owner.token).post('/api/users').send(newUser(over))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(AT_ONCE - 3);
    expect(await usersOf(owner)).toBe(5);
    const invited = answers.filter(({ status }) => status === 201).length * ('password' in over ? 0 : 1) + 1;
    expect(await shell().query('select from mail_outbox m join users u on u.email = m.recipient where u.organization_id = ?', [owner.organizationId])).toHaveLength(invited);
    await other.stop();
  });

  it('has room again when somebody has gone, or the plan is larger; whoever is there stays when it is smaller', async () => {
    const owner = await ownerWith(people(2));
    const { body } = await create(owner).expect(201);
    await create(owner).expect(429);
    await shell().as(owner.token).delete(`/api/users/${body.data.id}`).expect(204);
    await create(owner).expect(201);
    const setLimit = (value: number) => shell().query(`update plan_limits l set limit_value = ? from organization_plans p where p.plan_id = l.plan_id and p.organization_id = ?`, [value, owner.organizationId]);
    await setLimit(3);
    await create(owner).expect(201);
    await setLimit(1);
    await create(owner).expect(429);
    expect(await usersOf(owner)).toBe(3);
    expect(await usageOf(owner, 'users')).toMatchObject({ limit: 1, used: 3, remaining: 0, overLimit: true });
    await shell().as(owner.token).get('/api/users').expect(200);
    await setLimit(-1);
    await create(owner).expect(201);
  });

  it('is about how many there are, whatever period the plan names, and no limit where it names none', async () => {
    const monthly = await ownerWith(people(1, 'monthly'));
    await create(monthly).expect(429);
    expect(await usageOf(monthly, 'users')).toMatchObject({ period: 'total', used: 1, resetsAt: null });
    const free = await ownerWith([]);
    await create(free).expect(201);
    expect((await shell().as(free.token).post('/api/subscriptions/check-limit').send({ limitKey: 'users' }).expect(200)).body.data).toMatchObject({ allowed: true, limit: -1, used: 2, remaining: null });
  });

  it('holds for registration too: a plan without people has no first one', async () => {
    await shell().query(`update plan_limits l set limit_value = 0 from plans p where p.id = l.plan_id and p.code = 'PRO' and l.limit_key = 'users'`);
    const person = newUser();
    const { error } = (await shell().as().post('/api/auth/register').send({ ...person, password: 'a password to remember', plan: 'PRO' }).expect(429)).body;
    expect(error.code).toBe('QUOTA_EXCEEDED');
    expect(await shell().query('select from users where email = ?', [person.email])).toEqual([]);
    await shell().query(`update plan_limits l set limit_value = 25 from plans p where p.id = l.plan_id and p.code = 'PRO' and l.limit_key = 'users'`);
    await shell().as().post('/api/auth/register').send({ ...person, password: 'a password to remember', plan: 'PRO' }).expect(201);
  });
});

describe('the limit on apps', () => {
  const admin = async (): Promise<string> => (await shell().organization()).member(['apps:write']);
  const toggle = async (token: string, appId: string, { organizationId }: Person, enabled = true) => shell().as(token).put(`/api/admin/apps/${appId}/organizations/${organizationId}`).send({ enabled });

  it(`lets exactly 3 of ${AT_ONCE} at once be switched on when 3 are left`, async () => {
    const [token, owner] = [await admin(), await ownerWith(apps(4))];
    const ids: string[] = [];
    for (let n = 0; n <= AT_ONCE; n += 1) ids.push((await registeredApp(shell(), { organizations: { all: false, slugs: [] } })).id);
    expect((await toggle(token, ids[AT_ONCE] ?? '', owner)).status).toBe(200);
    const answers = await Promise.all(ids.slice(0, AT_ONCE).map((id) => toggle(token, id, owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(AT_ONCE - 3);
    expect(refused[0]?.body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', message: 'The plan allows 4 apps, and 4 are switched on. Switch one off first, or take a larger plan.', details: { limitKey: 'apps', limit: 4, used: 4 } });
    expect(await usageOf(owner, 'apps')).toMatchObject({ limit: 4, used: 4, remaining: 0 });
  }, 60_000);

  it('counts what was switched on, not what everybody has; off makes room, and on twice is once', async () => {
    const [token, owner] = [await admin(), await ownerWith(apps(1))];
    const [one, two] = [await registeredApp(shell()), await registeredApp(shell())]; // everybody has them
    expect(await usageOf(owner, 'apps')).toMatchObject({ used: 0 });
    for (let times = 0; times < 2; times += 1) expect((await toggle(token, one.id, owner)).status).toBe(200);
    expect((await toggle(token, two.id, owner)).status).toBe(429);
    expect((await toggle(token, one.id, owner, false)).status).toBe(200);
    expect((await toggle(token, two.id, owner)).status).toBe(200);
    expect(await usageOf(owner, 'apps')).toMatchObject({ used: 1, remaining: 0 });
  });
});
