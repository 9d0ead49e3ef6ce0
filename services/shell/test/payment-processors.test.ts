import { randomUUID } from 'node:crypto';
import { LocalProcessor } from '../src/modules/subscriptions/payment/local/local-processor.js';
import { LocalStore } from '../src/modules/subscriptions/payment/local/local-store.repository.js';
import type { PaymentProcessor } from '../src/modules/subscriptions/payment/processor.js';
import { sign } from '../src/modules/subscriptions/payment/signature.js';
import { StripeProcessor } from '../src/modules/subscriptions/payment/stripe-processor.js';
import { useShell } from './support/shell.js';
import { StripeDouble } from './support/stripe-double.js';

const SECRET = 'whsec_of_the_tests';

/** A processor, and what people do on its pages. */
interface Bench {
  readonly processor: PaymentProcessor;
  pay(checkoutUrl: string, pays?: boolean): Promise<void>;
  saveCard(clientSecret: string, pays?: boolean): Promise<string>;
  charges(customerId: string): Promise<number>;
}

const shell = useShell();
let double: StripeDouble;
beforeAll(async () => {
  double = await StripeDouble.start();
});
afterAll(async () => {
  await double.stop();
});
afterEach(() => {
  expect(double.unknown).toEqual([]); // a call that Stripe does not have must not pass unseen
});

const BENCHES: Readonly<Record<string, () => Bench>> = {
  local: () => {
    const store = new LocalStore(shell().shell.container.db);
    const processor = new LocalProcessor(store, { pagesUrl: 'http://platform.test/pages', webhookSecret: SECRET });
    const card = (pays = true): 'visa' | 'declined' => (pays ? 'visa' : 'declined');
    return {
      processor,
      pay: async (url, pays) => {
        if ((await processor.payCheckout(url.split('/').at(-1) ?? '', card(pays))) === undefined) throw new Error('This page has expired.');
      },
      saveCard: (secret, pays) => processor.confirmSetup(secret, card(pays)),
      charges: async (customerId) => (await store.list('charge', customerId)).length,
    };
  },
  stripe: () => ({
    processor: new StripeProcessor({ secretKey: 'sk_test_double', webhookSecret: SECRET, apiUrl: double.url }),
    pay: (url, pays) => new Promise((resolve) => resolve(double.pay(url, pays))),
    saveCard: (secret, pays) => Promise.resolve(double.addCard(double.customerOf(secret), pays)),
    charges: (customerId) => Promise.resolve(double.charges.filter(({ customer }) => customer === customerId).length),
  }),
};

describe.each(Object.keys(BENCHES))('the %s processor', (name) => {
  let bench: Bench;
  let customerId: string;
  let prices: { small: string; big: string };
  beforeEach(async () => {
    bench = BENCHES[name]?.() as Bench;
    const { processor } = bench;
    const planId = randomUUID();
    const productId = await processor.putProduct({ planId, name: 'Pro', tagline: null });
    expect(await processor.putProduct({ planId, name: 'Pro again', tagline: 'For teams' })).toBe(productId);
    const price = (amount: number) => processor.createPrice(productId, { interval: 'monthly', amount, currency: 'usd' }, randomUUID());
    prices = { small: await price(1900), big: await price(9900) };
    customerId = await processor.createCustomer({ organizationId: randomUUID(), name: 'Acme', email: 'ann@example.org' });
  });
  const card = async (pays = true): Promise<string> => bench.saveCard(await bench.processor.setup(customerId), pays);
  const subscribe = async (key = randomUUID()) => bench.processor.subscribe({ customerId, priceId: prices.small, paymentMethodId: await card() }, key);

  it('makes one customer of an organization and one price of a key', async () => {
    const organizationId = randomUUID();
    const make = () => bench.processor.createCustomer({ organizationId, name: 'Acme', email: 'ann@example.org' });
    expect(await make()).toBe(await make());
    const productId = await bench.processor.putProduct({ planId: randomUUID(), name: 'x', tagline: null });
    const key = randomUUID();
    const price = () => bench.processor.createPrice(productId, { interval: 'yearly', amount: 5, currency: 'usd' }, key);
    expect(await price()).toBe(await price());
    await bench.processor.archivePrice(await price());
  });

  it('charges nobody for another one\'s card, nor for one that is declined', async () => {
    const other = await bench.processor.createCustomer({ organizationId: randomUUID(), name: 'Other', email: 'bob@example.org' });
    const theirs = await bench.saveCard(await bench.processor.setup(other));
    const wish = { customerId, priceId: prices.small };
    await expect(bench.processor.subscribe({ ...wish, paymentMethodId: theirs }, randomUUID())).rejects.toThrow();
    await expect(bench.processor.removePaymentMethod(customerId, theirs)).rejects.toMatchObject({ code: 'subscriptions.payment_method_not_found' });
    await expect(bench.processor.setDefaultPaymentMethod(customerId, theirs)).rejects.toMatchObject({ code: 'subscriptions.payment_method_not_found' });
    await expect(bench.processor.removePaymentMethod(customerId, 'pm_nobody')).rejects.toMatchObject({ code: 'subscriptions.payment_method_not_found' });
    await expect(bench.processor.subscribe({ ...wish, paymentMethodId: await card(false) }, randomUUID())).rejects.toMatchObject({ code: 'subscriptions.payment_failed' });
    expect([await bench.charges(customerId), await bench.charges(other)]).toEqual([0, 0]);
  });

  it('lists, prefers and forgets cards', async () => {
    const [one, two] = [await card(), await card()];
    await bench.processor.setDefaultPaymentMethod(customerId, two);
    expect(await bench.processor.paymentMethods(customerId)).toEqual([
      { id: one, type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: expect.any(Number), isDefault: false },
      { id: two, type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: expect.any(Number), isDefault: true },
    ]);
    await bench.processor.removePaymentMethod(customerId, one);
    expect((await bench.processor.paymentMethods(customerId)).map(({ id }) => id)).toEqual([two]);
  });

  it('subscribes once for one key, however often and however close together', async () => {
    const [paymentMethodId, key] = [await card(), randomUUID()];
    const both = await Promise.all([1, 2, 3].map(() => bench.processor.subscribe({ customerId, priceId: prices.small, paymentMethodId }, key)));
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both[0]).toMatchObject({ customerId, status: 'active', priceId: prices.small, cancelAtPeriodEnd: false });
    expect(both[0]?.currentPeriodEnd.getTime()).toBeGreaterThan(Date.now());
    expect(await bench.charges(customerId)).toBe(1);
  });

  it('sells on a page, which expires', async () => {
    const page = (key: string) => bench.processor.checkout({ customerId, priceId: prices.big, successUrl: 'http://platform.test/ok', cancelUrl: 'http://platform.test/no' }, key);
    const key = randomUUID();
    const [open, same, gone] = [await page(key), await page(key), await page(randomUUID())];
    expect(same).toEqual(open);
    expect(open.url).toMatch(/^https?:\/\//);
    await bench.processor.expireCheckout(gone.id);
    await bench.processor.expireCheckout(gone.id);
    await expect(bench.pay(gone.url)).rejects.toThrow();
    await expect(bench.pay(open.url, false)).rejects.toThrow();
    expect(await bench.charges(customerId)).toBe(0);
    await bench.pay(open.url);
    expect(await bench.charges(customerId)).toBe(1);
    await bench.processor.expireCheckout(open.id); // too late, and no error
  });

  it('changes, cancels, takes back and ends a subscription', async () => {
    const { id } = await subscribe();
    const before = await bench.charges(customerId);
    expect(await bench.processor.changePrice(id, { priceId: prices.big, chargeNow: true }, randomUUID())).toMatchObject({ id, priceId: prices.big });
    expect(await bench.charges(customerId)).toBe(before + 1);
    expect(await bench.processor.changePrice(id, { priceId: prices.small, chargeNow: false }, randomUUID())).toMatchObject({ priceId: prices.small });
    expect(await bench.charges(customerId)).toBe(before + 1);
    for (const cancel of [true, false]) {
      await bench.processor.setCancelAtPeriodEnd(id, cancel);
      expect(await bench.processor.subscription(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: cancel });
    }
    await bench.processor.cancelNow(id);
    await bench.processor.cancelNow(id);
    expect(await bench.processor.subscription(id)).toMatchObject({ status: 'ended' });
    expect(await bench.processor.subscription('sub_nobody')).toBeUndefined();
  });

  it('has a portal that goes back where it was told', async () => {
    expect(await bench.processor.portal(customerId, 'http://platform.test/back')).toMatch(/^https?:\/\//);
  });

  const body = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1_700_000_000, data: { object: { object: 'invoice', id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } } } }));
  const now = (): number => Math.floor(Date.now() / 1000);

  it('knows its own events', () => {
    expect(bench.processor.verifyEvent(body, sign(body, SECRET, now()))).toMatchObject({ id: 'evt_1', type: 'invoice.paid', subscriptionId: 'sub_1', created: new Date(1_700_000_000_000) });
    for (const offset of [-290, 290]) expect(bench.processor.verifyEvent(body, sign(body, SECRET, now() + offset)).id).toBe('evt_1');
  });

  it.each([
    ['no signature', () => ''], ['another secret', () => sign(body, 'other', now())], ['another body', () => sign(Buffer.concat([body, Buffer.from(' ')]), SECRET, now())],
    ['301 s old', () => sign(body, SECRET, now() - 302)], ['an hour ahead', () => sign(body, SECRET, now() + 3600)], ['a time that was changed', () => sign(body, SECRET, now() - 1000).replace(/t=\d+/, `t=${now()}`)],
    ['no time', () => sign(body, SECRET, now()).replace(/t=\d+,/, '')], ['no digest', () => `t=${now()}`], ['nonsense', () => 't=x,v1=y'],
  ])('refuses events with %s', (_what, signature) => {
    expect(() => bench.processor.verifyEvent(body, signature())).toThrow(expect.objectContaining({ code: 'subscriptions.invalid_signature' }));
  });
});
