import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { NEXT_STATUS, SUBSCRIPTION_STATUSES, Subscription, periodEnd } from '../src/modules/subscriptions/subscription.entity.js';
import { runJob } from './support/jobs.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { useShell, type TestShell } from './support/shell.js';

const shell = useShell();
let chief: Person;
beforeAll(async () => {
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});

const ownerOn = async (planCode: string): Promise<Person> => personIn(shell(), await organizationOn(shell(), planCode), { systemRole: 'ADMIN' });
const current = async (person: Person) => (await shell().as(person.token).get('/api/subscriptions/current').expect(200)).body.data;
const put = (by: Person, organizationId: string, planCode: string) => shell().as(by.token).put(`/api/organizations/${organizationId}/subscription`).send({ planCode });
const rows = (organizationId: string) => shell().query<{ status: string; code: string }>('select s.status, p.code from subscriptions s join plans p on p.id = s.plan_id where s.organization_id = ? order by s.created_at, s.status desc', [organizationId]);
const named = async (organizationId: string): Promise<string | undefined> => (await shell().query<{ plan: string }>('select subscription_plan as plan from organizations where id = ?', [organizationId]))[0]?.plan;
const lapse = (organizationId: string) => shell().query(`update subscriptions set lapses_at = now() - interval '1 second' where organization_id = ? and status <> 'expired'`, [organizationId]);

describe('a plan without payment', () => {
  it('that costs more is not for organizations to take', async () => {
    const [cheap, dear] = [await planWith(shell(), { monthlyPrice: 10 }), await planWith(shell(), { monthlyPrice: 20 })];
    const onlyByYear = await planWith(shell(), { monthlyPrice: 0, yearlyPrice: 1 });
    const owner = await ownerOn(cheap);
    for (const code of [dear, 'ENTERPRISE']) {
      const { error } = (await put(owner, owner.organizationId, code).expect(403)).body;
      expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'subscriptions.payment_required', planCode: code } });
    }
    const free = await ownerOn('HOBBY');
    for (const code of [onlyByYear, cheap]) await put(free, free.organizationId, code).expect(403);
    expect([await named(owner.organizationId), await named(free.organizationId)]).toEqual([cheap, 'HOBBY']);
    expect(await rows(owner.organizationId)).toEqual([{ status: 'active', code: cheap }]);
  });

  it.each(['NOPE', 'hobby', '', 'x\0y'])('with the code %j does not exist', async (code) => {
    const owner = await ownerOn('HOBBY');
    for (const by of [owner, chief]) await put(by, owner.organizationId, code).expect(400);
  });

  it('that is not on offer is given by the platform while hidden, by nobody once deprecated', async () => {
    const [hidden, deprecated] = [await planWith(shell(), { status: 'hidden' }), await planWith(shell(), { status: 'deprecated' })];
    const owner = await ownerOn('PRO');
    for (const code of [hidden, deprecated]) await put(owner, owner.organizationId, code).expect(400);
    await put(chief, owner.organizationId, deprecated).expect(400);
    await put(chief, owner.organizationId, hidden).expect(200);
    expect((await current(owner)).planCode).toBe(hidden);
  });

  it('of other organizations is out of reach', async () => {
    const [owner, theirs] = [await ownerOn('PRO'), await ownerOn('HOBBY')];
    await put(owner, theirs.organizationId, 'HOBBY').expect(404);
    await put(await personIn(shell(), owner.organizationId), owner.organizationId, 'HOBBY').expect(403);
    expect(await named(theirs.organizationId)).toBe('HOBBY');
  });

  it('is given by the platform at once, and the old one stays on record', async () => {
    const owner = await ownerOn('HOBBY');
    expect((await put(chief, owner.organizationId, 'ENTERPRISE').expect(200)).body.data).toEqual({ success: true });
    expect(await current(owner)).toMatchObject({ organizationId: owner.organizationId, planCode: 'ENTERPRISE', planName: 'Enterprise', status: 'active', interval: 'monthly', cancelAtPeriodEnd: false, endsAt: null, nextPlanCode: null });
    expect(await named(owner.organizationId)).toBe('ENTERPRISE');
    expect(await rows(owner.organizationId)).toEqual(expect.arrayContaining([{ status: 'expired', code: 'HOBBY' }, { status: 'active', code: 'ENTERPRISE' }]));
    await put(chief, owner.organizationId, 'ENTERPRISE').expect(200);
    expect(await rows(owner.organizationId)).toHaveLength(2);
  });

  it('leaves one subscription however many are given at once', async () => {
    const owner = await ownerOn('HOBBY');
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(chief, owner.organizationId, n % 2 === 0 ? 'PRO' : 'ENTERPRISE')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const open = (await rows(owner.organizationId)).filter(({ status }) => status !== 'expired');
    expect(open).toHaveLength(1);
    expect(open[0]?.code).toBe(await named(owner.organizationId));
  });
});

describe('a downgrade', () => {
  it('to the free plan cancels: what was paid for is kept until the period ends', async () => {
    const owner = await ownerOn('PRO');
    await put(owner, owner.organizationId, 'HOBBY').expect(200);
    const before = await current(owner);
    expect(before).toMatchObject({ planCode: 'PRO', status: 'canceled', cancelAtPeriodEnd: true, nextPlanCode: 'HOBBY' });
    expect(before.endsAt).toBe(before.currentPeriodEnd);
    await put(owner, owner.organizationId, 'PRO').expect(403); // going on costs something
    await lapse(owner.organizationId);
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY', status: 'active', nextPlanCode: null });
    expect(await named(owner.organizationId)).toBe('HOBBY');
  });

  it('to a cheaper plan comes with the end of the period, and can be taken back before', async () => {
    const [cheap, dear] = [await planWith(shell(), { monthlyPrice: 5 }), await planWith(shell(), { monthlyPrice: 50 })];
    const owner = await ownerOn(dear);
    await put(owner, owner.organizationId, cheap).expect(200);
    expect(await current(owner)).toMatchObject({ planCode: dear, status: 'active', cancelAtPeriodEnd: false, nextPlanCode: cheap });
    await put(owner, owner.organizationId, dear).expect(200);
    expect(await current(owner)).toMatchObject({ planCode: dear, nextPlanCode: null, endsAt: null });
    await put(owner, owner.organizationId, cheap).expect(200);
    await lapse(owner.organizationId);
    await runJob(shell(), 'subscriptions.move-on');
    expect(await rows(owner.organizationId)).toEqual(expect.arrayContaining([{ status: 'expired', code: dear }, { status: 'active', code: cheap }]));
  });

  it('below what is used is allowed: nothing is lost, nothing more is counted', async () => {
    const limits = (limitValue: number) => [{ limitKey: 'api_calls', limitValue, period: 'monthly' }];
    const [small, big] = [await planWith(shell(), { limits: limits(10) }), await planWith(shell(), { monthlyPrice: 9, limits: limits(1000) })];
    const owner = await ownerOn(big);
    await shell().as(owner.token).post('/api/subscriptions/consume').send({ limitKey: 'api_calls', amount: 500 }).expect(200);
    await put(chief, owner.organizationId, small).expect(200);
    const { data } = (await shell().as(owner.token).get('/api/subscriptions/usage').expect(200)).body;
    expect(data).toMatchObject([{ limitKey: 'api_calls', limit: 10, used: 500, remaining: 0, overLimit: true }]);
    const { error } = (await shell().as(owner.token).post('/api/subscriptions/consume').send({ limitKey: 'api_calls' }).expect(429)).body;
    expect(error.details).toMatchObject({ limit: 10, used: 500 });
    await put(chief, owner.organizationId, big).expect(200);
    await shell().as(owner.token).post('/api/subscriptions/consume').send({ limitKey: 'api_calls' }).expect(200);
  });
});

describe('registration', () => {
  const register = async (plan: string) => {
    const username = `u${randomUUID().slice(0, 8)}`;
    return shell().as().post('/api/auth/register').send({ email: `${username}@example.org`, username, password: 'a quite long password', firstName: 'Ann', lastName: 'Registered', plan });
  };
  const registered = async (plan: string): Promise<Person> => {
    const { body } = await register(plan);
    return { id: body.data.user.id, organizationId: body.data.user.organizationId, email: '', token: body.data.accessToken };
  };

  it('on a plan that costs something is a trial that ends by itself, whether or not anybody looks', async () => {
    const owner = await registered('PRO');
    const trial = await current(owner);
    expect(trial).toMatchObject({ planCode: 'PRO', status: 'trial', nextPlanCode: 'HOBBY' });
    expect(Math.round((Date.parse(trial.endsAt) - Date.now()) / 86_400_000)).toBe(14);
    const limitOf = async (): Promise<number> => (await shell().as(owner.token).get('/api/subscriptions/usage')).body.data.find(({ limitKey }: { limitKey: string }) => limitKey === 'api_calls').limit;
    expect(await limitOf()).toBe(100_000);
    await lapse(owner.organizationId);
    expect(await limitOf()).toBe(1000); // nobody has moved the row yet
    expect(await rows(owner.organizationId)).toEqual([{ status: 'trial', code: 'PRO' }]);
    await runJob(shell(), 'subscriptions.move-on');
    expect(await rows(owner.organizationId)).toEqual(expect.arrayContaining([{ status: 'expired', code: 'PRO' }, { status: 'active', code: 'HOBBY' }]));
    expect(await named(owner.organizationId)).toBe('HOBBY');
  });

  it('does not turn a trial into another plan that costs something', async () => {
    const owner = await registered('ENTERPRISE');
    await put(owner, owner.organizationId, 'PRO').expect(403);
    await put(owner, owner.organizationId, 'ENTERPRISE').expect(200); // stays what it is
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', status: 'trial' });
    await put(owner, owner.organizationId, 'HOBBY').expect(200);
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', status: 'canceled' });
    await put(owner, owner.organizationId, 'ENTERPRISE').expect(403);
    await put(chief, owner.organizationId, 'ENTERPRISE').expect(200);
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', status: 'active', endsAt: null });
  });

  it('on the free plan costs nothing', async () => {
    expect(await current(await registered('HOBBY'))).toMatchObject({ planCode: 'HOBBY', status: 'active', endsAt: null });
  });

  it('on a plan that is not on offer is refused, and leaves nothing', async () => {
    await shell().query(`update plans set status = 'hidden' where code = 'PRO'`);
    const before = await shell().query('select from organizations');
    expect((await register('PRO')).status).toBe(400);
    expect(await shell().query('select from organizations')).toHaveLength(before.length);
    await shell().query(`update plans set status = 'active' where code = 'PRO'`);
  });
});

describe('the launchpad', () => {
  const slugs = async (person: Person, on: TestShell): Promise<string[]> => (await on.as(person.token).get('/api/config/apps').expect(200)).body.data.map(({ slug }: { slug: string }) => slug);
  const app = async (): Promise<{ id: string; slug: string }> => {
    const slug = `app-${randomUUID().slice(0, 8)}`;
    return (await shell().as(chief.token).post('/api/admin/apps').send({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api` }).expect(201)).body.data;
  };

  it('follows a switch of the plan in every process within a second', async () => {
    const other = await shell().second();
    const [first, second] = [await app(), await app()];
    const [one, two] = [await planWith(shell(), { serviceIds: [first.id] }), await planWith(shell(), { serviceIds: [second.id] })];
    const owner = await ownerOn(one);
    for (const on of [shell(), other]) expect(await slugs(owner, on)).toEqual([first.slug]);
    await put(chief, owner.organizationId, two).expect(200);
    expect(await slugs(owner, shell())).toEqual([second.slug]);
    await eventually(async () => (await slugs(owner, other)).join() === second.slug, 1000);
    await other.stop();
  });

  it('follows the end of a plan', async () => {
    const included = await app();
    const trial = await planWith(shell(), { monthlyPrice: 1, serviceIds: [included.id] });
    const owner = await ownerOn(trial);
    expect(await slugs(owner, shell())).toEqual([included.slug]);
    await lapse(owner.organizationId);
    await runJob(shell(), 'subscriptions.move-on');
    expect((await slugs(owner, shell())).length).toBeGreaterThan(1);
  });
});

describe('an organization that was made by hand', () => {
  it('has a subscription to the plan it names as soon as anybody looks', async () => {
    const { id } = await shell().organization();
    const owner = await personIn(shell(), id, { systemRole: 'ADMIN' });
    const views = await Promise.all(Array.from({ length: 5 }, () => current(owner)));
    expect(new Set(views.map((view) => view.id)).size).toBe(1);
    expect(views[0]).toMatchObject({ planCode: 'HOBBY', status: 'active' });
    expect(await rows(id)).toHaveLength(1);
    expect(await current(chief)).toMatchObject({ planCode: 'ENTERPRISE', status: 'active' });
  });
});

describe('periods', () => {
  it('roll on by themselves, also after months', async () => {
    const owner = await ownerOn('HOBBY');
    await shell().query(`update subscriptions set current_period_start = now() - interval '5 months', current_period_end = now() - interval '4 months' where organization_id = ?`, [owner.organizationId]);
    await runJob(shell(), 'subscriptions.move-on');
    const { currentPeriodStart, currentPeriodEnd } = await current(owner);
    expect(Date.parse(currentPeriodEnd)).toBeGreaterThan(Date.now());
    expect(Date.parse(currentPeriodStart)).toBeLessThanOrEqual(Date.now());
  });

  it.each([['2024-01-31T10:00:00Z', 'monthly', '2024-02-29T10:00:00Z'], ['2025-12-15T00:00:00Z', 'monthly', '2026-01-15T00:00:00Z'], ['2024-02-29T00:00:00Z', 'yearly', '2025-02-28T00:00:00Z'], ['2026-10-31T23:59:59Z', 'monthly', '2026-11-30T23:59:59Z']] as const)('from %s, %s, end at %s', (start, interval, end) => {
    expect(periodEnd(new Date(start), interval)).toEqual(new Date(end));
  });
});

describe('the states of a subscription', () => {
  const inStatus = (status: (typeof SUBSCRIPTION_STATUSES)[number]): Subscription => Object.assign(Subscription.begin({ organizationId: randomUUID(), planId: randomUUID(), interval: 'monthly', start: new Date() }), { status });
  const moves = { active: (s: Subscription) => s.goOn(), canceled: (s: Subscription) => s.endWithPeriod(null), expired: (s: Subscription) => s.expire() };

  it.each(SUBSCRIPTION_STATUSES.flatMap((from) => (['active', 'canceled', 'expired'] as const).map((to) => [from, to, from === to ? from !== 'expired' : NEXT_STATUS[from].includes(to)] as const)))('from %s to %s: %s', (from, to, legal) => {
    const subscription = inStatus(from);
    if (legal) {
      moves[to](subscription);
      expect(subscription.status).toBe(to);
    } else {
      expect(() => moves[to](subscription)).toThrow(expect.objectContaining({ code: 'subscriptions.illegal_transition' }));
      expect(subscription.status).toBe(from);
    }
  });
});
