import Stripe from 'stripe';
import { eventOf } from './event.js';
import { InvalidSignature, PaymentFailed, PaymentMethodNotFound, PaymentProcessorUnavailable } from './payment.errors.js';
import type { PaymentMethod, PaymentProcessor, Price, ProcessorEvent, ProcessorSubscription } from './processor.js';
import { TOLERANCE_SECONDS, timeOf } from './signature.js';

export interface StripeConfig {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Replaces Stripe's own address, for its doubles. */
  readonly apiUrl: string | undefined;
}

const STATUS: Readonly<Record<string, ProcessorSubscription['status']>> = { active: 'active', trialing: 'active', past_due: 'past_due', unpaid: 'past_due', incomplete: 'incomplete' };
const INTERVAL = { monthly: 'month', yearly: 'year' } as const;

/** Stripe, by its own SDK. */
export class StripeProcessor implements PaymentProcessor {
  readonly name = 'stripe';
  private readonly stripe: Stripe;

  constructor(private readonly config: StripeConfig) {
    const api = config.apiUrl === undefined ? undefined : new URL(config.apiUrl);
    this.stripe = new Stripe(config.secretKey, {
      maxNetworkRetries: 2,
      timeout: 20_000,
      telemetry: false,
      ...(api && { host: api.hostname, protocol: api.protocol === 'http:' ? ('http' as const) : ('https' as const), ...(api.port !== '' && { port: api.port }) }),
    });
  }

  async putProduct({ planId, name, tagline }: { planId: string; name: string; tagline: string | null }): Promise<string> {
    const id = `plan_${planId}`;
    const fields = { name, ...(tagline !== null && { description: tagline }) };
    return calling(async () => {
      try {
        return (await this.stripe.products.update(id, { ...fields, active: true })).id;
      } catch (error) {
        if (!isMissing(error)) throw error;
        return (await this.stripe.products.create({ id, ...fields })).id;
      }
    });
  }

  createPrice(product: string, { interval, amount, currency }: Price, idempotencyKey: string): Promise<string> {
    return calling(async () => (await this.stripe.prices.create({ product, unit_amount: amount, currency, recurring: { interval: INTERVAL[interval] } }, { idempotencyKey })).id);
  }

  archivePrice(priceId: string): Promise<void> {
    return calling(async () => void (await this.stripe.prices.update(priceId, { active: false })));
  }

  createCustomer({ organizationId, name, email }: { organizationId: string; name: string; email: string }): Promise<string> {
    return calling(async () => (await this.stripe.customers.create({ name, email, metadata: { organizationId } }, { idempotencyKey: `customer:${organizationId}` })).id);
  }

  checkout({ customerId, priceId, successUrl, cancelUrl }: { customerId: string; priceId: string; successUrl: string; cancelUrl: string }, idempotencyKey: string): Promise<{ id: string; url: string }> {
    return calling(async () => {
      const session = await this.stripe.checkout.sessions.create({ mode: 'subscription', customer: customerId, line_items: [{ price: priceId, quantity: 1 }], success_url: successUrl, cancel_url: cancelUrl }, { idempotencyKey });
      return { id: session.id, url: session.url ?? '' };
    });
  }

  expireCheckout(id: string): Promise<void> {
    return calling(async () => {
      await this.stripe.checkout.sessions.expire(id).catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error; // completed, expired or gone
      });
    });
  }

  subscribe({ customerId, priceId, paymentMethodId }: { customerId: string; priceId: string; paymentMethodId: string }, idempotencyKey: string): Promise<ProcessorSubscription> {
    return calling(async () => subscriptionOf(await this.stripe.subscriptions.create({ customer: customerId, items: [{ price: priceId, quantity: 1 }], default_payment_method: paymentMethodId, payment_behavior: 'error_if_incomplete' }, { idempotencyKey })));
  }

  changePrice(subscriptionId: string, { priceId, paymentMethodId, chargeNow }: { priceId: string; paymentMethodId?: string; chargeNow: boolean }, idempotencyKey: string): Promise<ProcessorSubscription> {
    return calling(async () => {
      const [item] = (await this.stripe.subscriptions.retrieve(subscriptionId)).items.data;
      const changed = await this.stripe.subscriptions.update(
        subscriptionId,
        {
          items: [{ ...(item && { id: item.id }), price: priceId, quantity: 1 }],
          cancel_at_period_end: false,
          proration_behavior: chargeNow ? 'always_invoice' : 'none',
          payment_behavior: 'error_if_incomplete',
          ...(paymentMethodId !== undefined && { default_payment_method: paymentMethodId }),
        },
        { idempotencyKey },
      );
      return subscriptionOf(changed);
    });
  }

  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void> {
    return calling(async () => void (await this.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancel })));
  }

  cancelNow(subscriptionId: string): Promise<void> {
    return calling(async () => {
      const found = await this.subscription(subscriptionId);
      if (found !== undefined && found.status !== 'ended') await this.stripe.subscriptions.cancel(subscriptionId);
    });
  }

  subscription(id: string): Promise<ProcessorSubscription | undefined> {
    return calling(async () => {
      try {
        return subscriptionOf(await this.stripe.subscriptions.retrieve(id));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  portal(customerId: string, returnUrl: string): Promise<string> {
    return calling(async () => (await this.stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })).url);
  }

  setup(customerId: string): Promise<string> {
    return calling(async () => (await this.stripe.setupIntents.create({ customer: customerId, usage: 'off_session' })).client_secret ?? '');
  }

  paymentMethods(customerId: string): Promise<PaymentMethod[]> {
    return calling(async () => {
      const customer = await this.stripe.customers.retrieve(customerId);
      const preferred = customer.deleted === true ? undefined : idOf(customer.invoice_settings.default_payment_method);
      const { data } = await this.stripe.customers.listPaymentMethods(customerId, { limit: 100 });
      return data.map((method) => methodOf(method, preferred));
    });
  }

  removePaymentMethod(customerId: string, id: string): Promise<void> {
    return calling(async () => {
      await this.assertOwn(customerId, id);
      await this.stripe.paymentMethods.detach(id);
    });
  }

  setDefaultPaymentMethod(customerId: string, id: string): Promise<void> {
    return calling(async () => {
      await this.assertOwn(customerId, id);
      await this.stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } });
    });
  }

  /** The SDK takes times of the future; a clock that runs ahead by more than its tolerance is nobody's. */
  verifyEvent(body: Buffer, signature: string): ProcessorEvent {
    try {
      this.stripe.webhooks.constructEvent(body, signature, this.config.webhookSecret, TOLERANCE_SECONDS);
    } catch {
      throw new InvalidSignature();
    }
    if ((timeOf(signature) ?? Infinity) > Date.now() / 1000 + TOLERANCE_SECONDS) throw new InvalidSignature();
    return eventOf(body);
  }

  private async assertOwn(customerId: string, id: string): Promise<void> {
    const method = await this.stripe.paymentMethods.retrieve(id).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (method === undefined || idOf(method.customer) !== customerId) throw new PaymentMethodNotFound();
  }
}

/** Errors of the SDK in our words; what it says of our mistakes goes to the log, not to the caller. */
async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw new PaymentFailed(error.message);
    if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError || error instanceof Stripe.errors.StripeRateLimitError || error instanceof Stripe.errors.StripeIdempotencyError) throw new PaymentProcessorUnavailable({ cause: error });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

function subscriptionOf({ id, customer, status, items, cancel_at_period_end }: Stripe.Subscription): ProcessorSubscription {
  const [item] = items.data;
  if (item === undefined) throw new Error(`the subscription ${id} has no item`);
  return {
    id,
    customerId: idOf(customer) ?? '',
    status: STATUS[status] ?? 'ended',
    priceId: item.price.id,
    currentPeriodStart: new Date(item.current_period_start * 1000),
    currentPeriodEnd: new Date(item.current_period_end * 1000),
    cancelAtPeriodEnd: cancel_at_period_end,
  };
}

function methodOf({ id, type, card }: Stripe.PaymentMethod, preferred: string | undefined): PaymentMethod {
  return { id, type, brand: card?.brand ?? '', last4: card?.last4 ?? '', expMonth: card?.exp_month ?? 0, expYear: card?.exp_year ?? 0, isDefault: id === preferred };
}
