import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { replayPaymentEvents } from '../src/modules/subscriptions/index.js';
import { entriesIn } from './support/audit.js';
import { readConfig } from '../src/index.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn } from './support/plans.js';
import { useShell } from './support/shell.js';
import { StripeDouble } from './support/stripe-double.js';

const SECRET = 'whsec_of_the_stripe_tests';
let stripe: StripeDouble;
const shell = useShell(async () => {
  stripe = await StripeDouble.start();
  return { APP_ENV_PAYMENT_PROCESSOR: 'stripe', APP_ENV_STRIPE_SECRET_KEY: 'sk_test_double', APP_ENV_STRIPE_WEBHOOK_SECRET: SECRET, APP_ENV_STRIPE_API_URL: stripe.url };
});
afterAll(async () => {
  await stripe.stop();
});
afterEach(() => {
  expect(stripe.unknown).toEqual([]); // a call that Stripe does not have must not pass unseen
});

const ownerOn = async (code = 'HOBBY'): Promise<Person> => personIn(shell(), await organizationOn(shell(), code), { systemRole: 'ADMIN' });
const current = async (person: Person) => (await shell().as(person.token).get('/api/subscriptions/current').expect(200)).body.data;
const direct = (person: Person, paymentMethodId: string, planCode = 'PRO') => shell().as(person.token).post('/api/subscriptions/upgrade-direct').send({ planCode, interval: 'monthly', paymentMethodId });
const customerOf = async ({ organizationId }: Person): Promise<string> => (await shell().query<{ id: string }>('select customer_id as id from payment_customers where organization_id = ?', [organizationId]))[0]?.id ?? '';
const card = async (person: Person): Promise<string> => stripe.addCard(stripe.customerOf((await shell().as(person.token).post('/api/subscriptions/payment-methods/setup').expect(200)).body.data.clientSecret));
const charges = async (person: Person): Promise<number[]> => {
  const id = await customerOf(person);
  return stripe.charges.filter(({ customer }) => customer === id).map(({ amount }) => amount);
};
const deliver = async ({ body, signature }: { body: string; signature: string }): Promise<number> => (await fetch(`${shell().url}/api/subscriptions/webhook`, { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body })).status;

describe('a Shell with Stripe', () => {
  it.each(['APP_ENV_STRIPE_SECRET_KEY', 'APP_ENV_STRIPE_WEBHOOK_SECRET'])('does not start with an empty %s', (name) => {
    const given = { APP_ENV_PAYMENT_PROCESSOR: 'stripe', APP_ENV_STRIPE_SECRET_KEY: 'sk_test_double', APP_ENV_STRIPE_WEBHOOK_SECRET: SECRET };
    for (const value of ['', '   ', undefined]) expect(() => readConfig({ ...given, [name]: value, APP_ENV_ADMIN_EMAIL: 'a@example.org', APP_ENV_ADMIN_PASSWORD: 'a quite long password', DATABASE_URL: 'postgresql://x', APP_ENV_PUBLIC_URL: 'http://x', APP_ENV_JWT_ISSUER: 'x', APP_ENV_JWT_AUDIENCE: 'x', APP_ENV_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), APP_ENV_OPERATOR_CLIENT_SECRET: 'x'.repeat(24) })).toThrow(name);
  });

  it('sells on Stripe\'s page; the plan begins with the event', async () => {
    const owner = await ownerOn();
    const { checkoutUrl } = (await shell().as(owner.token).post('/api/subscriptions/upgrade').send({ planCode: 'PRO', interval: 'yearly' }).expect(200)).body.data;
    stripe.pay(checkoutUrl);
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY' });
    expect(await Promise.all(stripe.take(SECRET).map(deliver))).toEqual([200, 200]);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active', interval: 'yearly' });
    expect(await charges(owner)).toEqual([19_000]);
  });

  it('charges once for a double click', async () => {
    const owner = await ownerOn();
    const pm = await card(owner);
    const answers = await Promise.all([1, 2, 3].map(() => direct(owner, pm)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await charges(owner)).toEqual([1900]);
    for (const event of [...stripe.take(SECRET)].reverse()) expect(await deliver(event)).toBe(200);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active' });
  });

  it('that does not answer leaves nobody in doubt: repeating charges once', async () => {
    const owner = await ownerOn();
    const pm = await card(owner);
    await direct(owner, pm.replace(/.$/, 'x')).expect(404); // the plan is synced, and nothing is paid
    stripe.dropAnswersTo('/v1/subscriptions', 3); // the SDK repeats a call twice by itself
    expect((await direct(owner, pm).expect(503)).body.error.details.reason).toBe('subscriptions.payment_processor_unavailable');
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY' });
    await direct(owner, pm).expect(200);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active' });
    expect(await charges(owner)).toEqual([1900]);
  });

  it('processes events by what is true now, in whatever order they come', async () => {
    const owner = await ownerOn();
    await direct(owner, await card(owner)).expect(200);
    const [{ subscription } = { subscription: '' }] = await shell().query<{ subscription: string }>(`select processor_subscription_id as subscription from subscriptions where organization_id = ? and status = 'active'`, [owner.organizationId]);
    stripe.setStatus(subscription, 'past_due');
    stripe.setStatus(subscription, 'active');
    for (const event of stripe.take(SECRET).reverse()) expect(await deliver(event)).toBe(200);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active', endsAt: null });
    stripe.setStatus(subscription, 'past_due');
    const [late] = stripe.take(SECRET);
    expect(late && (await deliver(late))).toBe(200);
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'past_due' });
    stripe.end(stripe.get('subscription', subscription));
    await Promise.all(stripe.take(SECRET).map(deliver));
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY', status: 'active' });
    expect(late && (await deliver({ ...late }))).toBe(200); // again, and long over
    expect(await current(owner)).toMatchObject({ planCode: 'HOBBY', status: 'active' });
  });

  it('puts away events that cannot take effect, and replays them', async () => {
    const owner = await ownerOn();
    await direct(owner, await card(owner)).expect(200);
    const [event] = stripe.take(SECRET);
    const id = (JSON.parse(event?.body ?? '{}') as { id: string }).id;
    const customer = await customerOf(owner);
    await shell().query('update payment_customers set customer_id = ? where organization_id = ?', [randomUUID(), owner.organizationId]);
    expect(event && (await deliver(event))).toBe(200); // stored, which is all that Stripe has to know
    const stored = () => shell().query<{ status: string; error: string | null }>('select status, last_error as error from payment_events where id = ?', [id]);
    expect(await stored()).toEqual([{ status: 'pending', error: expect.stringContaining('is not ours') }]);
    await shell().query(`update payment_events set attempts = 9, next_attempt_at = now() - interval '1 second' where id = ?`, [id]);
    await eventually(async () => (await stored())[0]?.status === 'dead', 20_000, 'given up');
    const chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
    const list = async (filter: object) => (await shell().as(chief.token).get('/api/admin/payment-events').query({ filter: JSON.stringify(filter) }).expect(200)).body;
    const { data, pagination } = await list({ status: 'dead' });
    expect(pagination.total).toBe(1);
    expect(data).toEqual([{
      id, processor: 'stripe', type: 'customer.subscription.created', subscriptionId: expect.any(String), status: 'dead', attempts: 10, reason: expect.stringContaining('is not ours'),
      createdAt: expect.any(String), receivedAt: expect.any(String), processedAt: null, nextAttemptAt: null,
    }]);
    expect((await list({ status: 'done', id })).data).toEqual([]);
    await shell().as(owner.token).get('/api/admin/payment-events').expect(403); // who decides on payment sees nobody else's
    await shell().as(owner.token).post(`/api/admin/payment-events/${id}/replay`).expect(403);
    await shell().query('update payment_customers set customer_id = ? where organization_id = ?', [customer, owner.organizationId]);
    for (const unknown of ['evt_nobody', '%00', 'a%20b']) expect([400, 404]).toContain((await shell().as(chief.token).post(`/api/admin/payment-events/${unknown}/replay`)).status);
    const again = (await shell().as(chief.token).post(`/api/admin/payment-events/${id}/replay`).expect(200)).body.data;
    expect(again).toMatchObject({ id, status: 'pending', attempts: 0 });
    expect(await entriesIn(shell(), null, 'payments.replay')).toMatchObject([{ actorKind: 'user', actorId: chief.id, targetType: 'payment_event', targetId: id }]);
    await eventually(async () => (await stored())[0]?.status === 'done', 20_000, 'replayed');
    expect(await current(owner)).toMatchObject({ planCode: 'PRO', status: 'active' });
  });

  it('replays by command what was given up, all of it or the one that is named', async () => {
    const dead = async (id: string) => void (await shell().query(`insert into payment_events (id, processor, type, created_at, payload, status, attempts, next_attempt_at, received_at, last_error) values (?, 'stripe', 'invoice.paid', now(), '{}', 'dead', 10, now(), now(), 'no luck')`, [id]));
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [one, two, three]) await dead(id);
    const { db, audit } = shell().shell.container;
    expect((await replayPaymentEvents({ db, audit }, one)).replayed).toEqual([one]);
    const rest = await replayPaymentEvents({ db, audit }, undefined);
    expect(rest.dead.map(({ id, error }) => [id, error])).toEqual(expect.arrayContaining([[two, 'no luck'], [three, 'no luck']]));
    expect(rest.replayed).toEqual(expect.arrayContaining([two, three]));
    expect(await entriesIn(shell(), null, 'payments.replay')).toEqual(expect.arrayContaining([expect.objectContaining({ actorKind: 'system', actorId: 'command', targetId: one })]));
    await eventually(async () => (await shell().query(`select from payment_events where id = any(?::text[]) and status = 'done'`, [[one, two, three]])).length === 3, 20_000, 'replayed');
  });

  it('syncs a plan, and archives what it replaces', async () => {
    const chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
    const [plan] = await shell().query<{ id: string }>(`select id from plans where code = 'ENTERPRISE'`);
    const sync = () => shell().as(chief.token).post(`/api/plans/${plan?.id}/sync-stripe`).expect(200);
    const first = (await sync()).body.data;
    expect((await sync()).body.data).toEqual(first);
    expect(first).toMatchObject({ processor: 'stripe', prices: [{ amount: 9900 }, { amount: 99_000 }] });
    await shell().as(chief.token).put(`/api/plans/${plan?.id}`).send({ monthlyPrice: 120.5 }).expect(200);
    expect((await sync()).body.data.prices).toContainEqual(expect.objectContaining({ interval: 'monthly', amount: 12_050 }));
    expect(stripe.get('price', first.prices.find(({ interval }: { interval: string }) => interval === 'monthly').priceId)['active']).toBe(false);
  });
});

describe('a Shell without a processor', () => {
  it('says so, and still lets the platform give plans', async () => {
    const none = await shell().second({ APP_ENV_PAYMENT_PROCESSOR: 'none' });
    const owner = await ownerOn();
    const { error } = (await none.as(owner.token).post('/api/subscriptions/upgrade').send({ planCode: 'PRO', interval: 'monthly' }).expect(503)).body;
    expect(error.details.reason).toBe('subscriptions.no_payment_processor');
    const chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
    await none.as(chief.token).get('/api/admin/payment-events').expect(200);
    await none.as(chief.token).post('/api/admin/payment-events/evt_1/replay').expect(503); // nobody would see to it
    await none.stop();
  });
});
