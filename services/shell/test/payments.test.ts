import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { runJob } from './support/jobs.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { Relay } from './support/relay.js';
import { useShell } from './support/shell.js';

let relay: Relay;
const shell = useShell(async () => {
  relay = await Relay.start();
  return { APP_ENV_PAYMENT_WEBHOOK_URL: relay.url, APP_ENV_PAYMENT_RETURN_ORIGINS: 'https://app.example.org' };
});
let chief: Person;
beforeAll(async () => {
  relay.target = shell().url;
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});
afterAll(async () => {
  await relay.stop();
});

const ownerOn = async (code = 'HOBBY'): Promise<Person> => personIn(shell(), await organizationOn(shell(), code), { systemRole: 'ADMIN' });
const current = async (person: Person) => (await shell().as(person.token).get('/api/subscriptions/current').expect(200)).body.data;
const upgrade = (person: Person, body: object = { planCode: 'PRO', interval: 'monthly' }) => shell().as(person.token).post('/api/subscriptions/upgrade').send(body);
const direct = (person: Person, paymentMethodId: string, planCode = 'PRO', interval = 'monthly') => shell().as(person.token).post('/api/subscriptions/upgrade-direct').send({ planCode, interval, paymentMethodId });
/** A page of the local processor; its addresses begin with the platform's public one. */
const page = (url: string, form?: Record<string, string>) => fetch(url.replace('http://platform.test', shell().url), { redirect: 'manual', ...(form && { method: 'POST', body: new URLSearchParams(form) }) });
const charges = async ({ organizationId }: Person): Promise<number[]> =>
  (await shell().query<{ amount: number }>(`select (o.data->>'amount')::float8 as amount from local_payment_objects o join payment_customers c on c.customer_id = o.customer_id where o.kind = 'charge' and c.organization_id = ? order by o.seq`, [organizationId])).map(({ amount }) => amount);
const live = (person: Person) => shell().query(`select o.id from local_payment_objects o join payment_customers c on c.customer_id = o.customer_id where o.kind = 'subscription' and o.data->>'status' <> 'ended' and c.organization_id = ?`, [person.organizationId]);
const card = async (person: Person, which = 'visa'): Promise<string> => {
  const before = new Set((await methods(person)).map(({ id }) => id));
  const { clientSecret } = (await shell().as(person.token).post('/api/subscriptions/payment-methods/setup').expect(200)).body.data;
  expect((await page(`http://platform.test/api/local-payment/setup/${clientSecret}`, { card: which })).status).toBe(200);
  return (await methods(person)).find(({ id }) => !before.has(id))?.id ?? '';
};
const methods = async (person: Person): Promise<{ id: string; isDefault: boolean }[]> => (await shell().as(person.token).get('/api/subscriptions/payment-methods').expect(200)).body.data;
const becomes = (person: Person, expected: object) => eventually(async () => matches(await current(person), expected), 15_000, JSON.stringify(expected));
const matches = (actual: Record<string, unknown>, expected: object): boolean => Object.entries(expected).every(([field, value]) => actual[field] === value);

describe('what is refused', () => {
  it.each([
    {}, { planCode: 'PRO' }, { planCode: 'PRO', interval: 'weekly' }, { planCode: 'NOPE', interval: 'monthly' }, { planCode: 'PRO', interval: 'monthly', amount: 1 }, { planCode: 'PRO', interval: 'monthly', quantity: -1 },
    { planCode: 'PRO', interval: 'monthly', priceId: 'price_1' }, { planCode: 'PRO', interval: 'monthly', successUrl: 'https://evil.example' }, { planCode: 'PRO', interval: 'monthly', organizationId: randomUUID() },
  ])('a checkout with %j', async (body) => {
    const owner = await ownerOn();
    await upgrade(owner, body).expect(400);
    expect(await shell().query('select from payment_customers where organization_id = ?', [owner.organizationId])).toEqual([]);
  });

  it('plans that are not on offer, cost nothing or are paid for', async () => {
    const owner = await ownerOn();
    await upgrade(owner, { planCode: await planWith(shell(), { monthlyPrice: 5, status: 'hidden' }), interval: 'monthly' }).expect(400);
    expect((await upgrade(owner, { planCode: 'HOBBY', interval: 'monthly' }).expect(409)).body.error.details.reason).toBe('subscriptions.not_for_sale');
    await direct(owner, await card(owner)).expect(200);
    expect((await upgrade(owner).expect(409)).body.error.details.reason).toBe('subscriptions.already_on_plan');
  });

  it('people who do not decide on payment', async () => {
    const member = await personIn(shell(), (await ownerOn()).organizationId);
    await upgrade(member).expect(403);
    await direct(member, 'pm_x').expect(403);
    await shell().as(member.token).get('/api/subscriptions/portal').expect(403);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'https://platform.test.evil.example', 'http://platform.test@evil.example', 'javascript:alert(1)', 'https://platform.test/', 'http://platform.test:8080/', 'ftp://platform.test/', '/a\tb', ''])('going back from the portal to %j', async (returnUrl) => {
    await shell().as((await ownerOn()).token).get('/api/subscriptions/portal').query({ returnUrl }).expect(400);
  });

  it('cards of other organizations, everywhere', async () => {
    const [mine, theirs] = [await ownerOn(), await ownerOn()];
    const [, foreign] = [await card(mine), await card(theirs)];
    await direct(mine, foreign).expect(404);
    await shell().as(mine.token).delete(`/api/subscriptions/payment-methods/${foreign}`).expect(404);
    await shell().as(mine.token).put(`/api/subscriptions/payment-methods/${foreign}/default`).expect(404);
    expect((await methods(theirs)).map(({ id }) => id)).toEqual([foreign]);
    expect([...(await charges(mine)), ...(await charges(theirs))]).toEqual([]);
  });

  it('a card that is declined: nothing changes, and another one works', async () => {
    const owner = await ownerOn();
    const [bad, good] = [await card(owner, 'declined'), await card(owner)];
    for (let tries = 0; tries < 2; tries += 1) expect((await direct(owner, bad).expect(422)).body.error.details.reason).toBe('subscriptions.payment_failed');
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY' });
    await direct(owner, good).expect(200);
    expect(await charges(owner)).toEqual([1900]);
  });

  it('more than 60 requests a minute of one organization', async () => {
    const owner = await ownerOn();
    const answers = await Promise.all(Array.from({ length: 70 }, () => shell().as(owner.token).get('/api/subscriptions/payment-methods')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBeDefined();
    await shell().as((await ownerOn()).token).get('/api/subscriptions/payment-methods').expect(200);
  });
});

describe('a checkout', () => {
  it('is paid on a page, and the plan with its limits begins', async () => {
    const owner = await ownerOn();
    const { checkoutUrl } = (await upgrade(owner).expect(200)).body.data;
    const shown = await page(checkoutUrl);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    const html = await shown.text();
    expect(html).toMatch(/<html lang="en">[\s\S]*<h1>Subscribe to Pro<\/h1>[\s\S]*\$19\.00/);
    expect(html).not.toMatch(/<script|style="/);
    const refused = await page(checkoutUrl, { card: 'declined' });
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('role="alert"')]);
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY' });
    const paid = await page(checkoutUrl, { card: 'visa' });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, 'http://platform.test/settings/billing?checkout=success']);
    await becomes(owner, { planCode: 'PRO', status: 'active', interval: 'monthly', endsAt: null });
    const usage = (await shell().as(owner.token).get('/api/subscriptions/usage').expect(200)).body.data;
    expect(usage).toContainEqual(expect.objectContaining({ limitKey: 'api_calls', limit: 100_000 }));
    expect((await page(checkoutUrl, { card: 'visa' })).status).toBe(303); // back and pay again
    expect(await charges(owner)).toEqual([1900]);
  });

  it('leaves one page to pay on, however many were asked for', async () => {
    const owner = await ownerOn();
    const urls = (await Promise.all([1, 2, 3].map(() => upgrade(owner)))).map(({ body }) => body.data.checkoutUrl as string);
    const last = (await upgrade(owner, { planCode: 'ENTERPRISE', interval: 'yearly' }).expect(200)).body.data.checkoutUrl;
    for (const url of urls) expect((await page(url, { card: 'visa' })).status).toBe(404);
    await page(last, { card: 'mastercard' });
    await becomes(owner, { planCode: 'ENTERPRISE', interval: 'yearly' });
    expect(await charges(owner)).toEqual([99_000]);
    expect(await live(owner)).toHaveLength(1);
  });

  it('that replaces what was paid for ends the old one at the processor', async () => {
    const owner = await ownerOn();
    await direct(owner, await card(owner)).expect(200);
    await page((await upgrade(owner, { planCode: 'ENTERPRISE', interval: 'monthly' }).expect(200)).body.data.checkoutUrl, { card: 'visa' });
    await becomes(owner, { planCode: 'ENTERPRISE' });
    await eventually(async () => (await live(owner)).length === 1, 15_000, 'one live subscription');
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', status: 'active' });
  });
});

describe('upgrade-direct', () => {
  it('charges once for a double click, and once more for nothing', async () => {
    const owner = await ownerOn();
    const pm = await card(owner);
    const answers = await Promise.all([1, 2, 3, 4].map(() => direct(owner, pm)));
    expect(answers.map(({ status, body }) => [status, body.data])).toEqual(Array.from({ length: 4 }, () => [200, { success: true }]));
    await direct(owner, pm).expect(200);
    expect(await charges(owner)).toEqual([1900]);
    expect(await live(owner)).toHaveLength(1);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active' });
  });

  it('changes what is paid for: upwards at once, downwards with the end of the period', async () => {
    const owner = await ownerOn();
    const pm = await card(owner);
    await direct(owner, pm).expect(200);
    await direct(owner, pm, 'ENTERPRISE').expect(200);
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE' });
    expect(await charges(owner)).toEqual([1900, 9900]);
    await direct(owner, pm, 'PRO').expect(200);
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', status: 'active', nextPlanCode: 'PRO' });
    expect(await charges(owner)).toHaveLength(2);
    expect(await live(owner)).toHaveLength(1);
    await eventually(async () => (await shell().query(`select from payment_tasks where organization_id = ? and status = 'done'`, [owner.organizationId])).length === 1, 15_000, 'the processor knows');
    expect(await current(owner)).toMatchObject({ planCode: 'ENTERPRISE', nextPlanCode: 'PRO' }); // the event about it changed nothing
    await shell().query(`update subscriptions set lapses_at = now() - interval '1 second' where organization_id = ? and status <> 'expired'`, [owner.organizationId]);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active', nextPlanCode: null });
    expect(await live(owner)).toHaveLength(1);
  });
});

describe('the end of what is paid for', () => {
  const paying = async (): Promise<Person> => {
    const owner = await ownerOn();
    await direct(owner, await card(owner)).expect(200);
    return owner;
  };
  const due = (owner: Person) => shell().query(`update local_payment_objects o set due_at = now(), data = jsonb_set(o.data, '{end}', to_jsonb((now() - interval '1 second')::text)) from payment_customers c where c.customer_id = o.customer_id and o.kind = 'subscription' and c.organization_id = ?`, [owner.organizationId]);
  const portalOf = async (owner: Person): Promise<string> => (await shell().as(owner.token).get('/api/subscriptions/portal?returnUrl=https%3A%2F%2Fapp.example.org%2Fbilling').expect(200)).body.data.portalUrl;

  it('is chosen and taken back in the portal', async () => {
    const owner = await paying();
    const portal = await portalOf(owner);
    expect(await (await page(portal)).text()).toContain('href="https://app.example.org/billing"');
    expect(await (await page(portal)).text()).toMatch(/<h2>Invoices<\/h2><ul><li><span>[A-Z][a-z]{2} \d+, \d{4}: [^<]+, one month<br>[^$]*\$[\d.]+ <span class="muted">paid<\/span>/);
    expect((await page(portal, { do: 'cancel' })).status).toBe(303);
    await becomes(owner, { status: 'canceled', cancelAtPeriodEnd: true, nextPlanCode: 'HOBBY' });
    await page(portal, { do: 'keep' });
    await becomes(owner, { status: 'active', cancelAtPeriodEnd: false, endsAt: null });
    await page(portal, { do: 'add', card: 'mastercard' });
    expect(await methods(owner)).toHaveLength(2);
  });

  it('is told to the processor when it is decided here, by either side', async () => {
    const [owner, given] = [await paying(), await paying()];
    await shell().as(owner.token).put(`/api/organizations/${owner.organizationId}/subscription`).send({ planCode: 'HOBBY' }).expect(200);
    await eventually(async () => (await (await page(await portalOf(owner))).text()).includes('Ends on'), 15_000, 'canceled at the processor');
    await shell().as(owner.token).put(`/api/organizations/${owner.organizationId}/subscription`).send({ planCode: 'PRO' }).expect(200);
    await eventually(async () => (await (await page(await portalOf(owner))).text()).includes('Renews on'), 15_000, 'kept at the processor');
    await shell().as(chief.token).put(`/api/organizations/${given.organizationId}/subscription`).send({ planCode: 'ENTERPRISE' }).expect(200);
    await eventually(async () => (await live(given)).length === 0, 15_000, 'nothing to pay any more');
    expect(await current(given)).toMatchObject({ planCode: 'ENTERPRISE', status: 'active' });
  });

  it('comes after a grace when a renewal is declined, and a later payment brings it back', async () => {
    const owner = await paying();
    const swap = (which: string) => shell().query(`update local_payment_objects o set data = jsonb_set(o.data, '{card}', to_jsonb(?::text)) from payment_customers c where c.customer_id = o.customer_id and o.kind = 'method' and c.organization_id = ?`, [which, owner.organizationId]);
    await swap('declined');
    await due(owner);
    await runJob(shell(), 'local-payment.renew');
    await becomes(owner, { status: 'past_due', planCode: 'PRO', nextPlanCode: 'HOBBY' });
    expect(Math.round((Date.parse((await current(owner)).endsAt) - Date.now()) / 86_400_000)).toBe(7);
    await shell().query(`update subscriptions set lapses_at = now() where organization_id = ? and status = 'past_due'`, [owner.organizationId]);
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY', status: 'active' });
    await swap('visa');
    await due(owner);
    await runJob(shell(), 'local-payment.renew');
    await becomes(owner, { status: 'active', planCode: 'PRO' });
  });
});

describe('saved cards', () => {
  it('are listed, preferred and forgotten', async () => {
    const owner = await ownerOn();
    expect(await methods(owner)).toEqual([]);
    const [one, two] = [await card(owner), await card(owner, 'mastercard')];
    expect((await shell().as(owner.token).put(`/api/subscriptions/payment-methods/${two}/default`).expect(200)).body.data).toEqual({ success: true });
    expect((await shell().as(owner.token).delete(`/api/subscriptions/payment-methods/${one}`).expect(200)).body.data).toEqual({ success: true });
    expect(await methods(owner)).toEqual([{ id: two, type: 'card', brand: 'mastercard', last4: '4444', expMonth: 12, expYear: expect.any(Number), isDefault: true }]);
  });

  it('need a secret that is good for one card', async () => {
    const { clientSecret } = (await shell().as((await ownerOn()).token).post('/api/subscriptions/payment-methods/setup').expect(200)).body.data;
    const address = `http://platform.test/api/local-payment/setup/${clientSecret}`;
    expect((await page(address, { card: 'visa' })).status).toBe(200);
    expect((await page(address, { card: 'visa' })).status).toBe(404);
    expect((await page('http://platform.test/api/local-payment/portal/bps_nobody')).status).toBe(404);
    expect((await page('http://platform.test/api/local-payment/checkout/%00', { card: 'visa' })).status).toBe(404);
  });
});

describe('the webhook', () => {
  const deliver = (body: string, headers: Record<string, string>) => fetch(`${shell().url}/api/subscriptions/webhook`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  it('refuses what is not signed, and stores nothing of it', async () => {
    const [one] = relay.passed;
    const { body = '', signature = '' } = one ?? {};
    const before = await shell().query('select from payment_events');
    for (const [text, headers] of [[body, {}], [`${body} `, { 'payment-signature': signature }], [body, { 'payment-signature': signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }], ['', { 'payment-signature': signature }], ['{}', { 'stripe-signature': signature }]] as const) {
      expect((await deliver(text, headers)).status).toBe(400);
    }
    expect(await shell().query('select from payment_events')).toHaveLength(before.length);
  });

  it('takes an event once, however often it comes', async () => {
    const owner = await ownerOn();
    await direct(owner, await card(owner)).expect(200);
    await eventually(() => relay.passed.some(({ body }) => body.includes('customer.subscription.created')), 15_000);
    const { body = '', signature = '' } = relay.passed.at(-1) ?? {};
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => deliver(body, { [n % 2 === 0 ? 'payment-signature' : 'stripe-signature']: signature })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const { id } = JSON.parse(body) as { id: string };
    expect(await shell().query('select status, attempts from payment_events where id = ?', [id])).toEqual([{ status: 'done', attempts: 1 }]);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO' });
  });

  it('that was away gets its events later', async () => {
    const owner = await ownerOn();
    relay.refuse = 1;
    await page((await upgrade(owner).expect(200)).body.data.checkoutUrl, { card: 'visa' });
    await eventually(() => relay.refuse === 0, 15_000);
    await shell().query(`update local_payment_events set next_attempt_at = now() - interval '1 second' where status = 'pending'`);
    await becomes(owner, { planCode: 'PRO' });
  });
});

describe('sync-stripe', () => {
  const sync = (planId: string, by = chief) => shell().as(by.token).post(`/api/plans/${planId}/sync-stripe`);

  it('makes product and prices, changes nothing when repeated, and replaces what changed', async () => {
    const code = await planWith(shell(), { monthlyPrice: 12.34, yearlyPrice: 100 });
    const [plan] = await shell().query<{ id: string }>('select id from plans where code = ?', [code]);
    const id = plan?.id ?? '';
    const first = (await sync(id).expect(200)).body.data;
    expect(first).toMatchObject({ processor: 'local', productId: `plan_${id}`, prices: [{ interval: 'monthly', amount: 1234, currency: 'usd' }, { interval: 'yearly', amount: 10_000 }] });
    const again = await Promise.all([1, 2, 3].map(() => sync(id)));
    for (const { status, body } of again) expect([status, body.data]).toEqual([200, first]);
    await shell().as(chief.token).put(`/api/plans/${id}`).send({ monthlyPrice: 15, yearlyPrice: 0 }).expect(200);
    const changed = (await sync(id).expect(200)).body.data;
    expect(changed.prices).toMatchObject([{ interval: 'monthly', amount: 1500 }]);
    expect(changed.prices[0].priceId).not.toBe(first.prices[0].priceId);
    await shell().as(chief.token).put(`/api/plans/${id}`).send({ monthlyPrice: 12.34 }).expect(200);
    expect((await sync(id).expect(200)).body.data.prices).toMatchObject([{ amount: 1234 }]);
    await sync(randomUUID()).expect(404);
    await sync(id, await ownerOn()).expect(403);
  });
});
