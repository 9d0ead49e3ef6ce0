import { defineEntity, p } from '@mikro-orm/core';

export const PAYMENT_EVENT_STATUSES = ['pending', 'done', 'dead'] as const;
/** `dead`: given up; the reason is in `lastError`. */
export type PaymentEventStatus = (typeof PAYMENT_EVENT_STATUSES)[number];

export const PaymentEventSchema = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_events',
  properties: {
    id: p.string().length(255).primary(),
    processor: p.text(),
    type: p.string().length(128),
    subscriptionId: p.string().length(128).nullable(),
    /** When the processor made it. */
    createdAt: p.datetime().length(3),
    /** As it came; nobody is shown it. */
    payload: p.json<Record<string, unknown>>().lazy(),
    status: p.enum(PAYMENT_EVENT_STATUSES).default('pending'),
    attempts: p.integer(),
    nextAttemptAt: p.datetime().length(3),
    receivedAt: p.datetime().length(3),
    processedAt: p.datetime().length(3).nullable(),
    lastError: p.string().length(500).nullable(),
  },
});

/** What the processor told us once. */
export class PaymentEvent extends PaymentEventSchema.class {}
PaymentEventSchema.setClass(PaymentEvent);
