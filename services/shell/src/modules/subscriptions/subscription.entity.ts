import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { IllegalSubscriptionStatus } from './subscriptions.errors.js';

export const SUBSCRIPTION_STATUSES = ['trial', 'active', 'past_due', 'canceled', 'expired'] as const;
/**
 * `trial`: not paid yet; `active`: paid for, or free; `past_due`: a payment failed and there is grace; `canceled`:
 * ends with the period; `expired`: over, another one has taken its place.
 */
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const BILLING_INTERVALS = ['monthly', 'yearly'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Legal moves; whatever is not here is a mistake of ours or a late event of the payment processor. */
export const NEXT_STATUS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  trial: ['active', 'canceled', 'expired'],
  active: ['past_due', 'canceled', 'expired'],
  past_due: ['active', 'canceled', 'expired'],
  canceled: ['active', 'past_due', 'expired'],
  expired: [],
};

export const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    organizationId: p.uuid(),
    planId: p.uuid(),
    status: p.enum(SUBSCRIPTION_STATUSES),
    interval: p.enum(BILLING_INTERVALS).fieldName('billing_interval'),
    currentPeriodStart: p.datetime().length(3),
    currentPeriodEnd: p.datetime().length(3),
    /** When the right to the plan ends unless something happens; null = it goes on. */
    lapsesAt: p.datetime().length(3).nullable(),
    /** What comes after that; null = the free plan. */
    nextPlanId: p.uuid().nullable(),
    /** Who is paid, and what the subscription is called there; null = nobody is. */
    processor: p.string().columnType('text').nullable(),
    processorSubscriptionId: p.string().length(128).nullable(),
    /** Number of the newest word of the processor that is in here. */
    syncNumber: p.bigint('number').onCreate(() => 0),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** An organization's right to use a plan (section 2.7 of the interface); an organization has one that is not expired. */
export class Subscription extends SubscriptionSchema.class {
  static begin(given: { organizationId: string; planId: string; interval: BillingInterval; start: Date }): Subscription {
    const { start, ...rest } = given;
    return Object.assign(new Subscription(), rest, { id: randomUUID(), status: 'active' as const, currentPeriodStart: start, currentPeriodEnd: periodEnd(start, given.interval), lapsesAt: null, nextPlanId: null });
  }

  /** A paid plan that nobody has paid for yet; when the days are over the free plan comes. */
  static beginTrial(given: { organizationId: string; planId: string; start: Date; days: number }): Subscription {
    const { start, days, organizationId, planId } = given;
    const end = new Date(start.getTime() + days * 86_400_000);
    return Object.assign(Subscription.begin({ organizationId, planId, interval: 'monthly', start }), { status: 'trial' as const, currentPeriodEnd: end, lapsesAt: end });
  }

  hasLapsed(now: number): boolean {
    return this.lapsesAt != null && this.lapsesAt.getTime() <= now;
  }

  /** Another plan follows when the period ends; null = the free one, which is what canceling means. */
  endWithPeriod(nextPlanId: string | null): void {
    if (nextPlanId === null && this.status !== 'canceled') this.moveTo('canceled');
    else if (nextPlanId !== null && this.status === 'canceled') this.moveTo('active');
    if (this.lapsesAt == null || this.lapsesAt > this.currentPeriodEnd) this.lapsesAt = this.currentPeriodEnd; // grace may end before
    this.nextPlanId = nextPlanId;
  }

  /** It goes on: what was canceled or going to be another plan is so no longer, a trial has been paid for. */
  goOn(): void {
    if (this.status !== 'active') this.moveTo('active');
    this.lapsesAt = null;
    this.nextPlanId = null;
  }

  /** A payment has failed; until `graceEnds` nothing changes. */
  fallBehind(graceEnds: Date): void {
    if (this.status === 'past_due') return;
    this.moveTo('past_due');
    this.lapsesAt = graceEnds;
    this.nextPlanId = null;
  }

  expire(): void {
    this.moveTo('expired');
  }

  private moveTo(next: SubscriptionStatus): void {
    if (!NEXT_STATUS[this.status].includes(next)) throw new IllegalSubscriptionStatus(this.status, next);
    this.status = next;
  }
}
SubscriptionSchema.setClass(Subscription);

/** The same day of the next month or year, in UTC; the last one where there is no such day. */
export function periodEnd(start: Date, interval: BillingInterval): Date {
  const end = new Date(start);
  const day = start.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (interval === 'yearly' ? 12 : 1));
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, last));
  return end;
}
