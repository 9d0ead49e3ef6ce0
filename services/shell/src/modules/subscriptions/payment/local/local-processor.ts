import { randomBytes } from 'node:crypto';
import { periodEnd, type BillingInterval } from '../../subscription.entity.js';
import { eventOf } from '../event.js';
import { InvalidSignature, PaymentFailed, PaymentMethodNotFound } from '../payment.errors.js';
import type { PaymentMethod, PaymentProcessor, Price, ProcessorEvent, ProcessorSubscription } from '../processor.js';
import { isSigned } from '../signature.js';
import type { LocalStore } from './local-store.repository.js';

/** Cards that the pages offer; `declined` is one that never pays. */
export const LOCAL_CARDS = {
  visa: { brand: 'visa', last4: '4242', pays: true },
  mastercard: { brand: 'mastercard', last4: '4444', pays: true },
  declined: { brand: 'visa', last4: '0341', pays: false },
} as const;
export type LocalCard = keyof typeof LOCAL_CARDS;

interface CardData { readonly card: LocalCard; readonly expMonth: number; readonly expYear: number }
export interface PriceData extends Price { readonly productId: string }
/** What was paid for, as the invoice says it: names and prices of plans change. */
export interface ChargeData {
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
  readonly interval: PriceData['interval'];
  readonly at: string;
}

export interface SubscriptionData { readonly priceId: string; readonly status: ProcessorSubscription['status']; readonly methodId: string; readonly start: string; readonly end: string; readonly cancelAtPeriodEnd: boolean }
export interface CheckoutData { readonly priceId: string; readonly successUrl: string; readonly cancelUrl: string; readonly status: 'open' | 'complete' | 'expired' }

export interface LocalProcessorOptions {
  /** Where its pages are. */
  readonly pagesUrl: string;
  readonly webhookSecret: string;
}

/** A processor that takes no money: for trying things out, for demonstrations, and for tests. Same rules, same events. */
export class LocalProcessor implements PaymentProcessor {
  readonly name = 'local';

  constructor(
    private readonly store: LocalStore,
    private readonly options: LocalProcessorOptions,
  ) {}

  async putProduct({ planId, name, tagline }: { planId: string; name: string; tagline: string | null }): Promise<string> {
    await this.store.put('product', `plan_${planId}`, { name, tagline });
    return `plan_${planId}`;
  }

  createPrice(productId: string, price: Price, key: string): Promise<string> {
    return this.once(key, async () => {
      const id = newId('price');
      await this.store.put('price', id, { ...price, productId } satisfies PriceData);
      return id;
    });
  }

  async archivePrice(): Promise<void> {
    // its prices are only sold by those who name them
  }

  async createCustomer({ organizationId, name, email }: { organizationId: string; name: string; email: string }): Promise<string> {
    return this.once(`customer:${organizationId}`, async () => {
      const id = newId('cus');
      await this.store.put('customer', id, { name, email, defaultMethod: null }, { customerId: id });
      return id;
    });
  }

  checkout({ customerId, ...wish }: { customerId: string; priceId: string; successUrl: string; cancelUrl: string }, key: string): Promise<{ id: string; url: string }> {
    return this.once(key, async () => {
      const id = newId('cs');
      await this.store.put('checkout', id, { ...wish, status: 'open' } satisfies CheckoutData, { customerId });
      return { id, url: `${this.options.pagesUrl}/checkout/${id}` };
    });
  }

  expireCheckout(id: string): Promise<void> {
    return this.store.run(async () => {
      const session = await this.store.lock<CheckoutData>('checkout', id);
      if (session?.data.status === 'open') await this.store.put('checkout', id, { ...session.data, status: 'expired' });
    });
  }

  /** What the checkout page does when somebody pays. Throws PaymentFailed; undefined when the page is no longer open. */
  payCheckout(id: string, card: LocalCard): Promise<{ readonly successUrl: string } | undefined> {
    return this.store.run(async () => {
      const session = await this.store.lock<CheckoutData>('checkout', id);
      if (session?.customerId == null || session.data.status === 'expired') return undefined;
      if (session.data.status === 'complete') return { successUrl: session.data.successUrl };
      const methodId = await this.addCard(session.customerId, card);
      const subscription = await this.begin(session.customerId, session.data.priceId, methodId);
      await this.store.put('checkout', id, { ...session.data, status: 'complete' });
      await this.emit('checkout.session.completed', { object: 'checkout.session', id, customer: session.customerId, subscription });
      return { successUrl: session.data.successUrl };
    });
  }

  subscribe({ customerId, priceId, paymentMethodId }: { customerId: string; priceId: string; paymentMethodId: string }, key: string): Promise<ProcessorSubscription> {
    return this.subscriptionOnce(key, async () => {
      await this.ownMethod(customerId, paymentMethodId);
      return this.begin(customerId, priceId, paymentMethodId);
    });
  }

  changePrice(subscriptionId: string, { priceId, paymentMethodId, chargeNow }: { priceId: string; paymentMethodId?: string; chargeNow: boolean }, key: string): Promise<ProcessorSubscription> {
    return this.subscriptionOnce(key, async () => {
      const { customerId, data } = await this.locked(subscriptionId);
      const methodId = paymentMethodId ?? data.methodId;
      if (paymentMethodId !== undefined) await this.ownMethod(customerId, paymentMethodId);
      if (chargeNow) await this.charge(customerId, methodId, priceId);
      await this.change(subscriptionId, { ...data, priceId, methodId, cancelAtPeriodEnd: false });
      return subscriptionId;
    });
  }

  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void> {
    return this.store.run(async () => {
      const { data } = await this.locked(subscriptionId);
      if (data.status !== 'ended' && data.cancelAtPeriodEnd !== cancel) await this.change(subscriptionId, { ...data, cancelAtPeriodEnd: cancel });
    });
  }

  cancelNow(subscriptionId: string): Promise<void> {
    return this.store.run(async () => {
      const { data } = await this.locked(subscriptionId);
      if (data.status !== 'ended') await this.change(subscriptionId, { ...data, status: 'ended' });
    });
  }

  async subscription(id: string): Promise<ProcessorSubscription | undefined> {
    const found = await this.store.get<SubscriptionData>('subscription', id);
    if (found === undefined) return undefined;
    const { priceId, status, start, end, cancelAtPeriodEnd } = found.data;
    return { id, customerId: found.customerId ?? '', status, priceId, currentPeriodStart: new Date(start), currentPeriodEnd: new Date(end), cancelAtPeriodEnd };
  }

  async portal(customerId: string, returnUrl: string): Promise<string> {
    const id = newId('bps');
    await this.store.put('portal', id, { returnUrl }, { customerId });
    return `${this.options.pagesUrl}/portal/${id}`;
  }

  async setup(customerId: string): Promise<string> {
    const secret = `${newId('seti')}_secret_${randomBytes(12).toString('hex')}`;
    await this.store.put('setup', secret, {}, { customerId });
    return secret;
  }

  /** What a browser does with the secret; a secret saves one card. Throws PaymentMethodNotFound for secrets that are used or unknown. */
  confirmSetup(secret: string, card: LocalCard): Promise<string> {
    return this.store.run(async () => {
      const setup = await this.store.lock('setup', secret);
      if (setup?.customerId == null) throw new PaymentMethodNotFound();
      await this.store.remove('setup', secret);
      return this.addCard(setup.customerId, card);
    });
  }

  async paymentMethods(customerId: string): Promise<PaymentMethod[]> {
    const customer = await this.store.get<{ defaultMethod: string | null }>('customer', customerId);
    return (await this.store.list<CardData>('method', customerId)).map(({ id, data: { card, expMonth, expYear } }) => ({
      id, type: 'card', brand: LOCAL_CARDS[card].brand, last4: LOCAL_CARDS[card].last4, expMonth, expYear, isDefault: customer?.data.defaultMethod === id,
    }));
  }

  async removePaymentMethod(customerId: string, id: string): Promise<void> {
    await this.ownMethod(customerId, id);
    await this.store.remove('method', id);
  }

  setDefaultPaymentMethod(customerId: string, id: string): Promise<void> {
    return this.store.run(async () => {
      await this.ownMethod(customerId, id);
      const customer = await this.store.lock<object>('customer', customerId);
      await this.store.put('customer', customerId, { ...customer?.data, defaultMethod: id }, { customerId });
    });
  }

  verifyEvent(body: Buffer, signature: string): ProcessorEvent {
    if (!isSigned(body, signature, this.options.webhookSecret, Math.floor(Date.now() / 1000))) throw new InvalidSignature();
    return eventOf(body);
  }

  /** Renews or ends the subscriptions whose period is over; answers how many there were. */
  async renewDue(): Promise<number> {
    const due = await this.store.claimDue('subscription', 60, 100);
    for (const { id } of due) await this.store.run(() => this.renew(id));
    return due.length;
  }

  private async renew(id: string): Promise<void> {
    const { customerId, data } = await this.locked(id);
    if (data.status === 'ended' || new Date(data.end) > new Date()) return;
    if (data.cancelAtPeriodEnd) return this.change(id, { ...data, status: 'ended' });
    const { interval } = await this.price(data.priceId);
    try {
      await this.charge(customerId, data.methodId, data.priceId);
    } catch (error) {
      if (!(error instanceof PaymentFailed || error instanceof PaymentMethodNotFound)) throw error;
      return this.change(id, { ...data, status: 'past_due' });
    }
    await this.change(id, { ...data, status: 'active', start: data.end, end: periodEnd(new Date(data.end), interval).toISOString() });
  }

  private async begin(customerId: string, priceId: string, methodId: string): Promise<string> {
    const { interval } = await this.price(priceId);
    await this.charge(customerId, methodId, priceId);
    const [id, start] = [newId('sub'), new Date()];
    await this.write(id, customerId, { priceId, methodId, status: 'active', start: start.toISOString(), end: periodEnd(start, interval).toISOString(), cancelAtPeriodEnd: false });
    await this.emit('customer.subscription.created', { object: 'subscription', id, customer: customerId });
    return id;
  }

  private async change(id: string, data: SubscriptionData): Promise<void> {
    const { customerId } = await this.locked(id);
    await this.write(id, customerId, data);
    await this.emit(data.status === 'ended' ? 'customer.subscription.deleted' : 'customer.subscription.updated', { object: 'subscription', id, customer: customerId });
  }

  private write(id: string, customerId: string, data: SubscriptionData): Promise<void> {
    return this.store.put('subscription', id, data, { customerId, dueAt: data.status === 'ended' ? null : new Date(data.end) });
  }

  private async locked(id: string): Promise<{ customerId: string; data: SubscriptionData }> {
    const found = await this.store.lock<SubscriptionData>('subscription', id);
    if (found?.customerId == null) throw new Error(`the local processor knows no subscription ${id}`);
    return { customerId: found.customerId, data: found.data };
  }

  private async price(id: string): Promise<PriceData & { interval: BillingInterval }> {
    const found = await this.store.get<PriceData>('price', id);
    if (found === undefined) throw new Error(`the local processor knows no price ${id}`);
    return found.data;
  }

  private async charge(customerId: string, methodId: string, priceId: string): Promise<void> {
    const method = await this.ownMethod(customerId, methodId);
    if (!LOCAL_CARDS[method.card].pays) throw new PaymentFailed('Your card was declined.');
    const { amount, currency, interval, productId } = await this.price(priceId);
    const product = await this.store.get<{ name: string }>('product', productId);
    await this.store.put('charge', newId('ch'), { amount, currency, interval, name: product?.data.name ?? '', at: new Date().toISOString() } satisfies ChargeData, { customerId });
  }

  private async addCard(customerId: string, card: LocalCard): Promise<string> {
    const id = newId('pm');
    await this.store.put('method', id, { card, expMonth: 12, expYear: new Date().getUTCFullYear() + 3 } satisfies CardData, { customerId });
    return id;
  }

  private async ownMethod(customerId: string, id: string): Promise<CardData> {
    const method = await this.store.get<CardData>('method', id);
    if (method?.customerId !== customerId) throw new PaymentMethodNotFound();
    return method.data;
  }

  private async emit(type: string, object: object): Promise<void> {
    const id = newId('evt');
    await this.store.addEvent(id, { id, object: 'event', type, created: Math.floor(Date.now() / 1000), data: { object } });
  }

  private async subscriptionOnce(key: string, work: () => Promise<string>): Promise<ProcessorSubscription> {
    const found = await this.subscription(await this.once(key, work));
    if (found === undefined) throw new Error('the subscription was not stored');
    return found;
  }

  /** The answer to the first request with the key; the second waits for it. */
  private once<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.store.run(async () => {
      await this.store.takeTurns(key);
      const known = await this.store.get<{ answer: T }>('request', `req:${key}`);
      if (known !== undefined) return known.data.answer;
      const answer = await work();
      await this.store.put('request', `req:${key}`, { answer });
      return answer;
    });
  }
}

const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
