import { startTool, type ToolServer } from '@satellite/kit/testing';
import { StripeProcessor } from '../../src/modules/subscriptions/payment/stripe-processor.js';

/**
 * Stripe's own double checks every request against Stripe's published description (unknown routes, unknown parameters,
 * wrong types are errors) and answers with its examples. It keeps no state, so what a call does is the matter of
 * payment-processors.test.ts; here we learn that Stripe would take the call, and that we can read the answer.
 */
describe('the requests to Stripe', () => {
  let mock: ToolServer;
  let processor: StripeProcessor;
  beforeAll(async () => {
    mock = await startTool('stripe-mock', (port) => ['-http-addr', `127.0.0.1:${port}`], { readyPath: '/v1/charges' });
    processor = new StripeProcessor({ secretKey: 'sk_test_123', webhookSecret: 'whsec_of_the_tests', apiUrl: mock.url });
  });
  afterAll(() => mock.stop());

  it('is checked: a parameter that Stripe does not have is an error', async () => {
    const answer = await fetch(`${mock.url}/v1/products`, { method: 'POST', headers: { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=Pro&colour=red' });
    expect(answer.status).toBe(400);
    expect((await fetch(`${mock.url}/v1/spaceships`, { headers: { authorization: 'Bearer sk_test_123' } })).status).toBe(404);
  });

  const subscription = { id: expect.any(String), customerId: expect.any(String), status: expect.any(String), priceId: expect.any(String), currentPeriodStart: expect.any(Date), currentPeriodEnd: expect.any(Date), cancelAtPeriodEnd: expect.any(Boolean) };
  const CALLS: readonly (readonly [string, () => Promise<unknown>, unknown])[] = [
    ['putProduct', () => processor.putProduct({ planId: 'p1', name: 'Pro', tagline: 'For teams' }), expect.any(String)],
    ['createPrice', () => processor.createPrice('prod_1', { interval: 'yearly', amount: 1900, currency: 'usd' }, 'key-1'), expect.any(String)],
    ['archivePrice', () => processor.archivePrice('price_1'), undefined],
    ['createCustomer', () => processor.createCustomer({ organizationId: 'o1', name: 'Acme', email: 'ann@example.org' }), expect.any(String)],
    ['checkout', () => processor.checkout({ customerId: 'cus_1', priceId: 'price_1', successUrl: 'https://platform.example/ok', cancelUrl: 'https://platform.example/no' }, 'key-2'), { id: expect.any(String), url: expect.any(String) }],
    ['expireCheckout', () => processor.expireCheckout('cs_1'), undefined],
    ['subscribe', () => processor.subscribe({ customerId: 'cus_1', priceId: 'price_1', paymentMethodId: 'pm_1' }, 'key-3'), subscription],
    ['changePrice now', () => processor.changePrice('sub_1', { priceId: 'price_2', paymentMethodId: 'pm_1', chargeNow: true }, 'key-4'), subscription],
    ['changePrice later', () => processor.changePrice('sub_1', { priceId: 'price_2', chargeNow: false }, 'key-5'), subscription],
    ['setCancelAtPeriodEnd', () => processor.setCancelAtPeriodEnd('sub_1', true), undefined],
    ['cancelNow', () => processor.cancelNow('sub_1'), undefined],
    ['subscription', () => processor.subscription('sub_1'), subscription],
    ['portal', () => processor.portal('cus_1', 'https://platform.example/back'), expect.stringMatching(/^https:/)],
    ['setup', () => processor.setup('cus_1'), expect.any(String)],
    ['paymentMethods', () => processor.paymentMethods('cus_1'), expect.any(Array)],
  ];
  it.each(CALLS)('%s is one that Stripe takes', async (_name, call, answer) => {
    expect(await call()).toEqual(answer);
  });

  it('leaves no method of the adapter out', () => {
    const methods = Object.getOwnPropertyNames(StripeProcessor.prototype).filter((name) => !['constructor', 'assertOwn', 'verifyEvent'].includes(name));
    const called = new Set(CALLS.map(([name]) => name.split(' ')[0]));
    // stripe-mock's example of a card belongs to nobody, so the two that look at the owner stop there.
    expect(methods.filter((name) => !called.has(name)).sort()).toEqual(['removePaymentMethod', 'setDefaultPaymentMethod']);
  });

  it.each(['removePaymentMethod', 'setDefaultPaymentMethod'] as const)('%s asks Stripe for the owner first', async (method) => {
    await expect(processor[method]('cus_1', 'pm_1')).rejects.toMatchObject({ code: 'subscriptions.payment_method_not_found' });
  });
});
