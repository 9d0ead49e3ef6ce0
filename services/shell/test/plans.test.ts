import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { ORGANIZATION_ADMIN_PERMISSIONS } from '../src/permissions.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { useShell, type TestShell } from './support/shell.js';

const shell = useShell();

let chief: Person;
let owner: Person;
beforeAll(async () => {
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
  owner = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
});

const fields = (over: object = {}) => ({
  code: `P_${randomUUID().slice(0, 8)}`, name: 'Team', monthlyPrice: 9.99, yearlyPrice: 99.9, section: 'business', ctaLabel: 'Choose', ctaLink: '/register?plan=TEAM', features: [{ label: 'All apps', included: true }], status: 'active', serviceIds: [], ...over,
});
type View = ReturnType<typeof fields> & { id: string; version: number };
const made = async (over: object = {}): Promise<View> => (await shell().as(chief.token).post('/api/plans').send(fields(over)).expect(201)).body.data;
const app = async (over: object = {}): Promise<{ id: string; slug: string }> => {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  return (await shell().as(chief.token).post('/api/admin/apps').send({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api`, ...over }).expect(201)).body.data;
};
const count = async (): Promise<number> => (await shell().query('select from plans')).length;
const change = (id: string, body: object, ifMatch?: string) => {
  const request = shell().as(chief.token).put(`/api/plans/${id}`).send(body);
  return ifMatch === undefined ? request : request.set('if-match', ifMatch);
};

describe('a new plan', () => {
  it.each([
    { code: '' }, { code: '1st' }, { code: 'A B' }, { code: 'x'.repeat(41) }, { code: undefined }, { name: '' }, { name: 'a\nb' }, { name: undefined }, { tagline: 'x'.repeat(201) },
    { monthlyPrice: -1 }, { monthlyPrice: 1.001 }, { monthlyPrice: '9' }, { monthlyPrice: 1e308 }, { monthlyPrice: null }, { yearlyPrice: undefined }, { yearlyPrice: 0.005 },
    { section: 'family' }, { ctaLabel: ' ' }, { ctaLink: 'javascript:alert(1)' }, { ctaLink: '//evil.example' }, { ctaLink: 'https://user:pw@example.org' }, { ctaLink: '/a\\b' }, { ctaLink: 'ftp://example.org' },
    { features: [{ label: 'x' }] }, { features: [{ label: '', included: true }] }, { features: [{ label: 'x', included: true, price: 1 }] }, { features: Array.from({ length: 51 }, () => ({ label: 'x', included: true })) },
    { status: 'sold' }, { serviceIds: ['drive'] }, { serviceIds: [randomUUID()] }, { serviceIds: 'all' }, { id: randomUUID() }, { version: 7 }, { limits: [] },
  ])('is refused with %j', async (over) => {
    const before = await count();
    const { error } = (await shell().as(chief.token).post('/api/plans').send(fields(over)).expect(400)).body;
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(await count()).toBe(before);
  });

  it('is the platform\'s business', async () => {
    const before = await count();
    await shell().as().post('/api/plans').send(fields()).expect(401);
    await shell().as(owner.token).post('/api/plans').send(fields()).expect(403);
    expect(await count()).toBe(before);
  });

  it('has a code of its own, whatever the case', async () => {
    const { code } = await made();
    for (const same of [code, code.toLowerCase(), 'hobby']) {
      const { error } = (await shell().as(chief.token).post('/api/plans').send(fields({ code: same })).expect(409)).body;
      expect(error.details.reason).toBe('plans.code_in_use');
    }
    const race = `RACE_${randomUUID().slice(0, 8)}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => shell().as(chief.token).post('/api/plans').send(fields({ code: race }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('is what was asked for', async () => {
    const { id: serviceId } = await app();
    const body = fields({ tagline: 'For teams', monthlyPrice: 0.1, yearlyPrice: 1_000_000, serviceIds: [serviceId, serviceId.toUpperCase()] });
    const answer = await shell().as(chief.token).post('/api/plans').send(body).expect(201);
    expect(answer.body.data).toMatchObject({ ...body, serviceIds: [serviceId], version: 1 });
    expect(answer.headers['etag']).toBe('"1"');
    const read = (await shell().as().get(`/api/plans/${answer.body.data.id}`).expect(200)).body.data;
    expect(read).toMatchObject({ ...body, serviceIds: [serviceId], services: [{ id: serviceId }], limits: [] });
  });

  it('needs no more than the interface asks for', async () => {
    const { features: _f, status: _s, serviceIds: _i, ...least } = fields();
    expect((await shell().as(chief.token).post('/api/plans').send(least).expect(201)).body.data).toMatchObject({ ...least, tagline: null, features: [], status: 'active', serviceIds: [] });
  });
});

describe('a change of a plan', () => {
  it('keeps what is absent, and counts versions', async () => {
    const plan = await made();
    const answer = await change(plan.id, { name: 'Bigger team', code: plan.code }, '"1"').expect(200);
    expect(answer.body.data).toMatchObject({ ...plan, name: 'Bigger team', version: 2, updatedAt: expect.any(String) });
    expect(answer.headers['etag']).toBe('"2"');
    await change(plan.id, { name: 'Late' }, '"1"').expect(412);
    const writers = await Promise.all(Array.from({ length: 8 }, (_, n) => change(plan.id, { name: `Writer ${n}` }, '"2"')));
    expect(writers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });

  it.each([{ code: 'OTHER' }, { monthlyPrice: -0.01 }, { monthlyPrice: null }, { ctaLink: 'data:text/html,x' }, { serviceIds: [randomUUID()] }, { unknown: 1 }])('refuses %j', async (body) => {
    const plan = await made();
    await change(plan.id, body).expect(400);
    expect((await shell().as().get(`/api/plans/${plan.id}`)).body.data.version).toBe(1);
  });

  it.each([['active', 'hidden', 200], ['active', 'deprecated', 200], ['hidden', 'active', 200], ['hidden', 'deprecated', 200], ['deprecated', 'hidden', 200], ['deprecated', 'active', 409], ['deprecated', 'deprecated', 200]])('from %s to %s answers %i', async (from, to, status) => {
    const { id } = await made({ status: from });
    await change(id, { status: to }).expect(status);
    expect(await shell().query('select status from plans where id = ?', [id])).toEqual([{ status: status === 200 ? to : from }]);
  });

  it('never makes the plan that everybody falls back to cost something', async () => {
    const [hobby] = await shell().query<{ id: string }>(`select id from plans where code = 'HOBBY'`);
    for (const body of [{ monthlyPrice: 1 }, { yearlyPrice: 1 }, { status: 'deprecated' }]) expect((await change(hobby?.id ?? '', body).expect(409)).body.error.details.reason).toBe('plans.free_plan_needed');
  });

  it('answers 404 for a plan that does not exist', async () => {
    await change(randomUUID(), { name: 'x' }).expect(404);
    await shell().as(chief.token).put(`/api/plans/${randomUUID()}/limits`).send({ limits: [] }).expect(404);
    await shell().as(chief.token).get(`/api/plans/${randomUUID()}/limits`).expect(404);
    await shell().as().get('/api/plans/HOBBY').expect(400);
  });
});

describe('limits', () => {
  const set = (id: string, limits: unknown) => shell().as(chief.token).put(`/api/plans/${id}/limits`).send({ limits });

  it.each([
    [[{ limitKey: 'nobody.counts_this', limitValue: 1, period: 'monthly' }]], [[{ limitKey: 'users', limitValue: -2, period: 'total' }]], [[{ limitKey: 'users', limitValue: 1.5, period: 'total' }]],
    [[{ limitKey: 'users', limitValue: 1e308, period: 'total' }]], [[{ limitKey: 'users', limitValue: '5', period: 'total' }]], [[{ limitKey: 'users', limitValue: 1, period: 'yearly' }]], [[{ limitKey: 'users', limitValue: 1 }]],
    [[{ limitKey: 'users', limitValue: 1, period: 'total' }, { limitKey: 'users', limitValue: 2, period: 'total' }]], [[{ limitKey: 'users', limitValue: 1, period: 'total', used: 0 }]], ['users'], [null],
  ])('of %j are refused', async (limits) => {
    const { id } = await made();
    await set(id, limits).expect(400);
    expect(await shell().query('select from plan_limits where plan_id = ?', [id])).toEqual([]);
  });

  it('are replaced as a whole, and count as a change of the plan', async () => {
    const { id } = await made();
    const { slug } = await app({ limitKeys: [] });
    await shell().as(chief.token).post('/api/admin/apps').send({ slug: `${slug}x`, name: 'x', type: 'x', apiUrl: '/x', limitKeys: [{ key: `${slug}x.storage_bytes` }] }).expect(201);
    const limits = [{ limitKey: 'api_calls', limitValue: 0, period: 'daily' }, { limitKey: `${slug}x.storage_bytes`, limitValue: 5_000_000_000_000, period: 'total' }, { limitKey: 'users', limitValue: -1, period: 'total' }];
    const answer = await set(id, limits).expect(200);
    expect(answer.body.data).toEqual(expect.arrayContaining(limits));
    expect(answer.headers['etag']).toBe('"2"');
    await set(id, []).set('if-match', '"1"').expect(412);
    await set(id, limits.slice(0, 1)).set('if-match', '"2"').expect(200);
    const read = await shell().as(owner.token).get(`/api/plans/${id}/limits`).expect(200);
    expect(read.body.data).toEqual(limits.slice(0, 1));
    expect(read.headers['etag']).toBe('"3"');
    expect((await shell().as().get(`/api/plans/${id}`)).body.data.limits).toEqual(limits.slice(0, 1));
  });
});

describe('who sees which plans', () => {
  it('shows everybody those on offer, and the rest to who may see them', async () => {
    const [active, hidden, deprecated] = [await made(), await made({ status: 'hidden' }), await made({ status: 'deprecated' })];
    const nobody = undefined;
    const plain = (await personIn(shell(), owner.organizationId)).token;
    for (const token of [nobody, plain]) {
      const codes = (await shell().as(token).get('/api/plans?limit=100').expect(200)).body.data.map(({ code }: View) => code);
      expect(codes).toEqual(expect.arrayContaining(['HOBBY', 'PRO', 'ENTERPRISE', active.code]));
      expect(codes).not.toContain(hidden.code);
      expect(codes).not.toContain(deprecated.code);
      const sneaky = encodeURIComponent(JSON.stringify({ status: { in: ['hidden', 'deprecated'] } }));
      expect((await shell().as(token).get(`/api/plans?filter=${sneaky}`).expect(200)).body.pagination.total).toBe(0);
      await shell().as(token).get(`/api/plans/${active.id}`).expect(200);
      for (const { id } of [hidden, deprecated]) await shell().as(token).get(`/api/plans/${id}`).expect(404);
    }
    expect(ORGANIZATION_ADMIN_PERMISSIONS).toEqual(expect.arrayContaining(['plans:list', 'plans:read']));
    const all = (await shell().as(owner.token).get('/api/plans?limit=100&sort=-createdAt').expect(200)).body.data.map(({ code }: View) => code);
    expect(all).toEqual(expect.arrayContaining([active.code, hidden.code, deprecated.code]));
    for (const { id } of [hidden, deprecated]) await shell().as(owner.token).get(`/api/plans/${id}`).expect(200);
  });

  it('begins with three plans that have limits, and keeps what becomes of them', async () => {
    const second = async (): Promise<TestShell> => shell().second();
    const [pro] = await shell().query<{ id: string }>(`select id from plans where code = 'PRO'`);
    const { data } = (await shell().as().get(`/api/plans/${pro?.id}`).expect(200)).body;
    expect(data.limits).toEqual(expect.arrayContaining([{ limitKey: 'users', limitValue: 25, period: 'total' }]));
    await change(pro?.id ?? '', { monthlyPrice: 21.5 }).expect(200);
    const other = await second(); // migrates and seeds again
    expect((await other.as().get(`/api/plans/${pro?.id}`).expect(200)).body.data).toMatchObject({ code: 'PRO', monthlyPrice: 21.5 });
    await change(pro?.id ?? '', { monthlyPrice: 19 }).expect(200);
    await other.stop();
  });
});

describe('the pricing page', () => {
  const list = async (on: TestShell = shell()): Promise<View[]> => (await on.as().get('/api/config/plans').expect(200)).body.data;

  it('has the plans on offer with their limits, cheapest first', async () => {
    const plans = await list();
    expect(plans.map(({ monthlyPrice }) => monthlyPrice)).toEqual(plans.map(({ monthlyPrice }) => monthlyPrice).sort((a, b) => a - b));
    expect(plans.find(({ code }) => code === 'HOBBY')).toMatchObject({ monthlyPrice: 0, status: 'active', limits: expect.arrayContaining([{ limitKey: 'api_calls', limitValue: 1000, period: 'monthly' }]) });
    expect(plans.every(({ status }) => status === 'active')).toBe(true);
  });

  it('answers 304 until something changes, which every process shows within a second', async () => {
    const other = await shell().second();
    const plan = await made();
    await eventually(async () => (await list(other)).some(({ code }) => code === plan.code), 1000);
    const { etag } = (await other.as().get('/api/config/plans').expect(200)).headers;
    await other.as().get('/api/config/plans').set('if-none-match', etag ?? '').expect(304);
    await change(plan.id, { name: 'Renamed' }).expect(200);
    expect((await list()).find(({ code }) => code === plan.code)?.name).toBe('Renamed');
    await eventually(async () => (await list(other)).some(({ name }) => name === 'Renamed'), 1000);
    await other.as().get('/api/config/plans').set('if-none-match', etag ?? '').expect(200);
    await change(plan.id, { status: 'hidden' }).expect(200);
    expect((await list()).some(({ code }) => code === plan.code)).toBe(false);
    await other.stop();
  });
});

describe('the apps of a plan', () => {
  const slugs = async (token: string, on: TestShell = shell()): Promise<string[]> => (await on.as(token).get('/api/config/apps').expect(200)).body.data.map(({ slug }: { slug: string }) => slug);
  const onPlan = async (code: string): Promise<Person> => {
    const { id } = await shell().organization();
    await shell().query('update organizations set subscription_plan = ? where id = ?', [code, id]);
    return personIn(shell(), id, { systemRole: 'ADMIN' });
  };
  const exchange = (person: Person, service: string) => shell().as(person.token).post('/api/auth/exchange').send({ service });

  it('are all of them while it names none', async () => {
    const one = await app();
    const person = await onPlan((await made()).code);
    expect(await slugs(person.token)).toContain(one.slug);
    await exchange(person, one.slug).expect(200);
  });

  it('are only those that it names: in the launchpad, for tokens, and whatever was switched on', async () => {
    const [included, other] = [await app(), await app()];
    const person = await onPlan((await made({ serviceIds: [included.id] })).code);
    expect(await slugs(person.token)).toEqual([included.slug]);
    await exchange(person, included.slug).expect(200);
    await exchange(person, other.slug).expect(403);
    const answer = await shell().as(chief.token).put(`/api/admin/apps/${other.id}/organizations/${person.organizationId}`).send({ enabled: true }).expect(200);
    expect(answer.body.data).toMatchObject({ enabled: false, decidedBy: 'plan' });
    expect(await slugs(person.token)).toEqual([included.slug]);
    const off = await shell().as(chief.token).put(`/api/admin/apps/${included.id}/organizations/${person.organizationId}`).send({ enabled: false }).expect(200);
    expect(off.body.data).toMatchObject({ enabled: false, decidedBy: 'switch' });
    expect(await slugs(person.token)).toEqual([]);
  });

  it('are none when those it names have left the registry', async () => {
    const gone = await app();
    await app();
    const plan = await made({ serviceIds: [gone.id] });
    const person = await onPlan(plan.code);
    await shell().as(chief.token).delete(`/api/admin/apps/${gone.id}`).expect(204);
    expect(await slugs(person.token)).toEqual([]);
    await change(plan.id, { name: 'Still editable', serviceIds: [gone.id] }).expect(200);
  });

  it('follow a change of the plan in every process within a second', async () => {
    const other = await shell().second();
    const [first, second] = [await app(), await app()];
    const plan = await made({ serviceIds: [first.id] });
    const person = await onPlan(plan.code);
    expect(await slugs(person.token, other)).toEqual([first.slug]);
    await change(plan.id, { serviceIds: [second.id] }).expect(200);
    expect(await slugs(person.token)).toEqual([second.slug]);
    await eventually(async () => (await slugs(person.token, other)).join() === second.slug, 1000);
    await exchange(person, first.slug).expect(403);
    await other.stop();
  });
});
