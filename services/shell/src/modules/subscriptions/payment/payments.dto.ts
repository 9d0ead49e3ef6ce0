import type { PaymentEventStatus } from './payment-event.entity.js';
import type { BillingInterval } from '../subscription.entity.js';

/**
 * Name of a saved payment method.
 * @pattern ^[A-Za-z0-9_-]{1,128}$ must be the id of a payment method
 */
export type PaymentMethodId = string;

export interface UpgradeRequest {
  /** Code of a plan on offer, for example PRO. */
  planCode: string;
  interval: BillingInterval;
}

export interface UpgradeDirectRequest {
  /** Code of a plan on offer, for example PRO. */
  planCode: string;
  interval: BillingInterval;
  paymentMethodId: PaymentMethodId;
}

export interface CheckoutView {
  /** Page of the payment processor; send the browser there. */
  checkoutUrl: string;
}

export interface PortalView {
  /** Page of the payment processor; send the browser there. */
  portalUrl: string;
}

export interface SetupView {
  /** With it the browser saves a card at the payment processor. */
  clientSecret: string;
}

export interface PaymentMethodView {
  id: string;
  type: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  isDefault: boolean;
}

export interface DoneView {
  success: true;
}

export interface ReceivedView {
  received: true;
}

export interface SoldPriceView {
  interval: BillingInterval;
  priceId: string;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
}

export interface SoldPlanView {
  processor: string;
  productId: string;
  prices: SoldPriceView[];
}

/**
 * Id of an event at the processor.
 * @pattern ^[A-Za-z0-9_-]{1,255}$ must be the id of an event
 */
export type PaymentEventId = string;

/** Something that the payment processor told us. Its content is not shown: it is about people. */
export interface PaymentEventView {
  id: string;
  /** `stripe` or `local`. */
  processor: string;
  /** For example `customer.subscription.updated`. */
  type: string;
  /** The processor's name of the subscription that it is about. */
  subscriptionId: string | null;
  /** `dead` after 10 attempts: somebody has to look at it. */
  status: PaymentEventStatus;
  attempts: number;
  /** Why the last attempt failed. */
  reason: string | null;
  /** When the processor made it. */
  createdAt: Date;
  receivedAt: Date;
  processedAt: Date | null;
  /** When it is tried again; null unless it is pending. */
  nextAttemptAt: Date | null;
}
