import type { BillingInterval } from '../subscription.entity.js';

/** A price in the smallest unit of its currency. */
export interface Price {
  readonly interval: BillingInterval;
  readonly amount: number;
  readonly currency: string;
}

/** A subscription as the processor has it. */
export interface ProcessorSubscription {
  readonly id: string;
  readonly customerId: string;
  /** `incomplete`: the first payment has not come yet, so it gives no right to anything. */
  readonly status: 'active' | 'past_due' | 'incomplete' | 'ended';
  readonly priceId: string;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
}

/** A saved means of payment; nothing here can be paid with. */
export interface PaymentMethod {
  readonly id: string;
  readonly type: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly isDefault: boolean;
}

/** What the processor tells us, verified. Only where to look is taken from it; what is true is asked for. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  readonly created: Date;
  /** The subscription it is about; undefined for everything else. */
  readonly subscriptionId: string | undefined;
  readonly payload: object;
}

/**
 * Who takes the money. Calls with a `key` do their work once, however often they are repeated with it. Throws
 * PaymentFailed, PaymentMethodNotFound, PaymentProcessorUnavailable or InvalidSignature.
 */
export interface PaymentProcessor {
  readonly name: 'stripe' | 'local';
  /** Makes or renames what is sold; answers its id. */
  putProduct(plan: { readonly planId: string; readonly name: string; readonly tagline: string | null }): Promise<string>;
  createPrice(productId: string, price: Price, key: string): Promise<string>;
  /** No longer sold; subscriptions that have it keep it. */
  archivePrice(priceId: string): Promise<void>;
  createCustomer(organization: { readonly organizationId: string; readonly name: string; readonly email: string }): Promise<string>;
  /** A page on which the customer pays for a new subscription. */
  checkout(wish: { readonly customerId: string; readonly priceId: string; readonly successUrl: string; readonly cancelUrl: string }, key: string): Promise<{ readonly id: string; readonly url: string }>;
  /** A page that is paid on or gone already stays what it is. */
  expireCheckout(id: string): Promise<void>;
  subscribe(wish: { readonly customerId: string; readonly priceId: string; readonly paymentMethodId: string }, key: string): Promise<ProcessorSubscription>;
  /** `chargeNow`: the difference is paid at once; else the new price is that of the next period. */
  changePrice(subscriptionId: string, wish: { readonly priceId: string; readonly paymentMethodId?: string; readonly chargeNow: boolean }, key: string): Promise<ProcessorSubscription>;
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void>;
  /** One that has ended already stays so. */
  cancelNow(subscriptionId: string): Promise<void>;
  subscription(id: string): Promise<ProcessorSubscription | undefined>;
  /** A page on which the customer sees to cards, invoices and the end of the subscription. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  /** A secret with which a browser saves a card. */
  setup(customerId: string): Promise<string>;
  paymentMethods(customerId: string): Promise<PaymentMethod[]>;
  removePaymentMethod(customerId: string, id: string): Promise<void>;
  setDefaultPaymentMethod(customerId: string, id: string): Promise<void>;
  verifyEvent(body: Buffer, signature: string): ProcessorEvent;
}
