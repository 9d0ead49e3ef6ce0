import { randomUUID } from 'node:crypto';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { useShell } from './support/shell.js';
import { registeredApp } from './support/gateway.js';

const shell = useShell({ APP_ENV_PAYMENT_CURRENCY: 'eur' });
const stats = async (person: Person) => (await shell().as(person.token).get('/api/admin/stats').expect(200)).body.data;

let chief: Person;
beforeAll(async () => {
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});

/** An organization's administrator. */
const ownerOn = async (planCode = 'HOBBY'): Promise<Person> => personIn(shell(), await organizationOn(shell(), planCode), { systemRole: 'ADMIN' });
const entry = (organizationId: string, action: string, daysAgo: number, over: { outcome?: string; actorId?: string; occurrences?: number } = {}): Promise<unknown> =>
  shell().query(
    `insert into audit_entries (chain_id, seq, id, organization_id, at, actor_kind, actor_id, action, outcome, occurrences, hash)
     values (gen_random_uuid(), 1, gen_random_uuid(), ?, date_trunc('day', now(), 'UTC') - make_interval(days => ?) + interval '1 second', 'user', ?, ?, ?, ?, '')`,
    [organizationId, daysAgo, over.actorId ?? null, action, over.outcome ?? 'success', over.occurrences ?? 1],
  );

describe('who may see figures', () => {
  it('is who holds settings:read', async () => {
    await shell().as().get('/api/admin/stats').expect(401);
    for (const systemRole of ['USER', undefined]) {
      const { token } = await personIn(shell(), (await shell().organization()).id, systemRole === undefined ? { permissions: ['users:list', 'organizations:list'] } : { systemRole });
      await shell().as(token).get('/api/admin/stats').expect(403);
    }
  });

  it('and nobody is shown another organization, whatever they ask for', async () => {
    const [mine, theirs] = [await ownerOn(), await ownerOn()];
    await shell().as(mine.token).get('/api/admin/stats').query({ organizationId: theirs.organizationId }).expect(400);
    const answer = await shell().as(mine.token).get('/api/admin/stats').set('x-organization-id', theirs.organizationId).set('x-org-id', theirs.organizationId).expect(200);
    expect(answer.body.data).toMatchObject({ scope: 'organization', users: { total: 1 }, organizations: { total: 1 } });
    expect(answer.text).not.toContain(theirs.organizationId);
  });
});

describe('the figures of an organization', () => {
  it('count its people by status, and those who are new', async () => {
    const owner = await ownerOn();
    const [old, gone] = [await personIn(shell(), owner.organizationId), await personIn(shell(), owner.organizationId)];
    await shell().query(`update users set created_at = now() - interval '31 days' where id = ?`, [old.id]);
    await shell().query(`update users set status = 'suspended' where id = ?`, [gone.id]);
    expect(await stats(owner)).toMatchObject({ scope: 'organization', users: { total: 3, active: 2, suspended: 1, new30Days: 2 }, organizations: { total: 1, active: 1, suspended: 0, new30Days: 1 } });
  });

  it('count apps by status, and those that it can use', async () => {
    const [open, closed, off] = [await registeredApp(shell()), await registeredApp(shell(), { organizations: { all: false, slugs: [] } }), await registeredApp(shell(), { status: 'inactive' })];
    await registeredApp(shell(), { status: 'degraded' });
    const [owner, limited] = [await ownerOn(), await ownerOn(await planWith(shell(), { serviceIds: [open.id, off.id] }))];
    const before = (await stats(owner)).apps;
    expect(before).toMatchObject({ degraded: 1, inactive: 1, total: before.active + 2, enabled: before.active + 1 - 1 });
    await shell().as(chief.token).put(`/api/admin/apps/${closed.id}/organizations/${owner.organizationId}`).send({ enabled: true }).expect(200);
    expect((await stats(owner)).apps.enabled).toBe(before.enabled + 1);
    expect((await stats(limited)).apps.enabled).toBe(1); // the plan names two, and one of them is inactive
    expect((await stats(chief)).apps).toEqual({ ...before, enabled: null });
  });

  it('count sign-ins by day in UTC, 30 days, also those without any', async () => {
    const owner = await ownerOn();
    const [ann, bo] = [randomUUID(), randomUUID()];
    for (const actorId of [ann, ann, bo]) await entry(owner.organizationId, 'auth.sign_in', 3, { actorId });
    await entry(owner.organizationId, 'auth.provider_sign_in', 3, { actorId: bo });
    await entry(owner.organizationId, 'auth.sign_in', 3, { outcome: 'refused', occurrences: 7 });
    await entry(owner.organizationId, 'auth.sign_in', 29, { actorId: ann });
    await entry(owner.organizationId, 'auth.sign_in', 30, { actorId: ann }); // too old
    await entry(owner.organizationId, 'auth.sign_out', 3, { actorId: ann });
    await entry((await ownerOn()).organizationId, 'auth.sign_in', 3, { actorId: ann });
    const { signIns, at } = await stats(owner);
    expect(signIns).toHaveLength(30);
    expect(signIns.at(-1).date).toBe(at.slice(0, 10));
    expect(signIns.map(({ date }: { date: string }) => date)).toEqual([...new Set(signIns.map(({ date }: { date: string }) => date))].sort());
    expect(signIns[26]).toMatchObject({ succeeded: 4, people: 2, refused: 7 });
    expect(signIns[0]).toMatchObject({ succeeded: 1, people: 1, refused: 0 });
    expect(signIns.filter(({ succeeded }: { succeeded: number }) => succeeded > 0)).toHaveLength(2);
  });

  it('show a sign-in of a moment ago', async () => {
    const owner = await ownerOn();
    const username = `u${randomUUID().slice(0, 8)}`;
    await shell().as(owner.token).post('/api/users').send({ email: `${username}@example.org`, username, firstName: 'Ann', lastName: 'Example', password: 'a long enough password' }).expect(201);
    await shell().as().post('/api/auth/local-login').send({ username, password: 'a long enough password' }).expect(200);
    const days = (await stats(owner)).signIns.filter(({ succeeded }: { succeeded: number }) => succeeded > 0);
    expect(days).toEqual([{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), succeeded: 1, people: 1, refused: 0 }]);
  });

  it('name the limits of which more than 80 % are used, and no others', async () => {
    const limits = [['a.at80', 10], ['a.above', 10], ['a.over', 10], ['a.none', 0], ['a.free', -1], ['a.old', 10]].map(([limitKey, limitValue]) => ({ limitKey: String(limitKey), limitValue: Number(limitValue), period: limitKey === 'a.old' ? 'monthly' : 'total' }));
    const owner = await ownerOn(await planWith(shell(), { limits: [...limits, { limitKey: 'users', limitValue: 1, period: 'total' }] }));
    for (const [key, used, start] of [['a.at80', 8, '-infinity'], ['a.above', 9, '-infinity'], ['a.over', 25, '-infinity'], ['a.none', 1, '-infinity'], ['a.free', 900, '-infinity'], ['a.old', 10, '2020-01-01']]) {
      await shell().query('insert into usage_counters (organization_id, limit_key, used, window_start) values (?, ?, ?, ?::timestamptz)', [owner.organizationId, key, used, start]);
    }
    const expected = [
      { organizationId: owner.organizationId, limitKey: 'a.none', limit: 0, used: 1, percent: null, period: 'total' },
      { limitKey: 'a.over', limit: 10, used: 25, percent: 250 },
      { limitKey: 'users', limit: 1, used: 1, percent: 100 },
      { limitKey: 'a.above', limit: 10, used: 9, percent: 90 },
    ];
    expect((await stats(owner)).quota).toEqual({ total: 4, limits: expected.map((limit) => expect.objectContaining(limit)) });
    const all = (await stats(chief)).quota.limits.filter(({ organizationId }: { organizationId: string }) => organizationId === owner.organizationId);
    expect(all).toEqual(expected.map((limit) => expect.objectContaining(limit)));
  });
});

describe('revenue', () => {
  /** A subscription of that kind, on the plan. */
  async function subscribed(planCode: string, over: { status?: string; interval?: string; processor?: string | null; lapsesAt?: string } = {}): Promise<Person> {
    const owner = await ownerOn(planCode);
    const { status = 'active', interval = 'monthly', processor = 'local', lapsesAt } = over;
    await shell().query(`update subscriptions set status = ?, billing_interval = ?, processor = ?, lapses_at = ?::timestamptz where organization_id = ? and status <> 'expired'`, [status, interval, processor, lapsesAt ?? null, owner.organizationId]);
    return owner;
  }

  it('counts what is paid for, to the cent, by plan', async () => {
    const code = await planWith(shell(), { monthlyPrice: 9.99, yearlyPrice: 99.95 });
    for (const over of [{}, {}, { status: 'canceled' }, { interval: 'yearly' }, { interval: 'yearly' }]) await subscribed(code, over);
    await subscribed(code, { status: 'past_due' });
    await subscribed(code, { status: 'trial', processor: null, lapsesAt: '2999-01-01' });
    await subscribed(code, { processor: null }); // given by the platform
    await subscribed(code, { lapsesAt: '2020-01-01' }); // over: the free plan has taken its place
    const { revenue } = await stats(chief);
    expect(revenue.currency).toBe('eur');
    // 3 × 9.99 and 2 × 99.95 / 12 = 29.97 + 16.658… = 46.63
    expect(revenue.plans.find(({ planCode }: { planCode: string }) => planCode === code)).toEqual({ planCode: code, planName: code, organizations: 8, paying: 5, pastDue: 1, trials: 1, billedMonthly: 29.97, billedYearly: 199.9, monthlyRevenue: 46.63 });
    expect(revenue.monthlyRevenue).toBe(Math.round(revenue.plans.reduce((sum: number, plan: { monthlyRevenue: number }) => sum + plan.monthlyRevenue * 100, 0)) / 100);
  });

  it('shows an organization its own plan only', async () => {
    const code = await planWith(shell(), { monthlyPrice: 5 });
    const [owner] = [await subscribed(code), await subscribed(code)];
    expect((await stats(owner)).revenue).toEqual({ currency: 'eur', monthlyRevenue: 5, plans: [expect.objectContaining({ planCode: code, organizations: 1, paying: 1, billedMonthly: 5 })] });
  });
});

describe('with tens of thousands of rows', () => {
  const ORGANIZATIONS = 2000;
  const USERS = 20_000;
  const ENTRIES = 40_000;
  let owner: Person;
  let before: Awaited<ReturnType<typeof stats>>;
  beforeAll(async () => {
    owner = await ownerOn();
    before = await stats(chief);
    await shell().query(`insert into organizations (id, name, slug, type, subscription_plan, created_at, updated_at) select gen_random_uuid(), 'Bulk ' || n, 'bulk-' || n, 'company', 'HOBBY', now() - interval '40 days', now() from generate_series(1, ${ORGANIZATIONS}) n`);
    await shell().query(`insert into subscriptions (id, organization_id, plan_id, status, billing_interval, current_period_start, current_period_end, processor, created_at, updated_at)
      select gen_random_uuid(), o.id, p.id, 'active', 'monthly', now(), now() + interval '1 month', 'local', now(), now() from organizations o join plans p on p.code = 'PRO' where o.slug like 'bulk-%'`);
    await shell().query(`insert into users (id, organization_id, email, username, first_name, last_name, created_at, updated_at)
      select gen_random_uuid(), o.id, o.slug || '-' || n || '@example.org', o.slug || '-' || n, 'Ann', 'Example', now() - interval '40 days', now() from organizations o, generate_series(1, ${USERS / ORGANIZATIONS}) n where o.slug like 'bulk-%'`);
    await shell().query(`insert into audit_entries (chain_id, seq, id, organization_id, at, actor_kind, actor_id, action, outcome, occurrences, hash)
      select o.id, n, gen_random_uuid(), o.id, date_trunc('day', now(), 'UTC') - interval '5 days' + interval '1 hour', 'user', o.id::text, case when n % 4 = 0 then 'auth.sign_in' else 'users.update' end, 'success', 1, '' from organizations o, generate_series(1, ${ENTRIES / ORGANIZATIONS}) n where o.slug like 'bulk-%'`);
    await shell().query(`insert into usage_counters (organization_id, limit_key, used, window_start) select o.id, 'api_calls', case when o.slug like '%7' then 90000 else 10 end, date_trunc('month', now(), 'UTC') from organizations o where o.slug like 'bulk-%'`);
    await shell().query('analyze');
  }, 120_000);

  /** Statements of one answer; those of jobs and feeds that happen to run meanwhile are told apart by who sends them. */
  async function statementsOf(person: Person): Promise<[string, readonly unknown[]][]> {
    const { db } = shell().shell.container;
    const statements: [string, readonly unknown[]][] = [];
    const query = db.query.bind(db);
    const spied = jest.spyOn(db, 'query').mockImplementation((sql, params) => {
      if (/^\s*(select|with)/i.test(sql) && new Error().stack?.includes('/modules/statistics/') === true) statements.push([sql, params ?? []]);
      return query(sql, params);
    });
    await stats(person);
    spied.mockRestore();
    expect(statements).not.toEqual([]);
    return statements;
  }

  it('are the figures exact', async () => {
    const { users, organizations, signIns, revenue, quota } = await stats(chief);
    expect(users.total - before.users.total).toBe(USERS);
    expect(users.new30Days).toBe(before.users.new30Days);
    expect(organizations.total - before.organizations.total).toBe(ORGANIZATIONS);
    expect(signIns[24]).toEqual({ ...before.signIns[24], succeeded: before.signIns[24].succeeded + ENTRIES / 4, people: before.signIns[24].people + ORGANIZATIONS });
    const pro = (of: typeof revenue) => of.plans.find(({ planCode }: { planCode: string }) => planCode === 'PRO') ?? { paying: 0, monthlyRevenue: 0 };
    expect(pro(revenue).paying - pro(before.revenue).paying).toBe(ORGANIZATIONS);
    expect(pro(revenue).monthlyRevenue - pro(before.revenue).monthlyRevenue).toBe(ORGANIZATIONS * 19);
    expect(quota.total - before.quota.total).toBe(ORGANIZATIONS / 10);
    expect(quota.limits).toHaveLength(100);
  });

  it('takes an answer no more statements than without them', async () => {
    expect((await statementsOf(chief)).length).toBeLessThanOrEqual(8);
    expect((await statementsOf(owner)).length).toBeLessThanOrEqual(8);
  });

  it('are an organization\'s own figures read by indexes, and never by reading a whole table', async () => {
    for (const [sql, params] of await statementsOf(owner)) {
      const plan = JSON.stringify(await shell().query(`explain (format json) ${sql}`, params));
      for (const table of ['users', 'audit_entries', 'subscriptions', 'usage_counters', 'organizations']) {
        expect([sql, new RegExp(`Seq Scan[^}]*"Relation Name":"${table}"`).test(plan)]).toEqual([sql, false]);
      }
    }
  });

  it('are the platform\'s sign-ins read from the index of sign-ins', async () => {
    const found = (await statementsOf(chief)).find(([sql]) => sql.includes('audit_entries'));
    const plan = JSON.stringify(await shell().query(`explain (format json) ${found?.[0] ?? ''}`, found?.[1] ?? []));
    expect(plan).toContain('audit_entries_sign_ins_index');
  });
});
