import { snapshot, SYSTEM, type AuditEvent, type AuditTrail, type Snapshot } from '../../audit/index.js';
import type { Plan, PlansRepository } from '../../plans/index.js';
import { PlanNotFound } from '../../plans/index.js';
import { BILLING_INTERVALS, type BillingInterval } from '../subscription.entity.js';
import { NoPaymentProcessor, NotForSale } from './payment.errors.js';
import type { PaymentsRepository, PlanPrice } from './payments.repository.js';
import type { PaymentProcessor } from './processor.js';

/** What the processor sells of a plan. */
export interface SoldPlan {
  readonly processor: string;
  readonly productId: string;
  readonly prices: readonly PlanPrice[];
}

/** Who wanted it, where that is not whoever sends the request. */
type SyncCause = Pick<AuditEvent, 'actor' | 'ifChanged'>;

/** A price that somebody wants to pay is made when it is not there yet. */
const BY_ITSELF: SyncCause = { actor: SYSTEM, ifChanged: true };

export interface PlanSalesDeps {
  readonly processor: PaymentProcessor | undefined;
  readonly payments: PaymentsRepository;
  readonly plans: PlansRepository;
  readonly audit: AuditTrail;
  readonly currency: string;
}

/** Keeps products and prices at the processor equal to our plans. */
export class PlanSales {
  constructor(private readonly deps: PlanSalesDeps) {}

  /** Repeating it changes nothing; a price that changed is replaced and the old one archived. Throws PlanNotFound or NoPaymentProcessor. */
  async sync(planId: string, cause: SyncCause = {}): Promise<SoldPlan> {
    const { processor, payments, plans, audit } = this.deps;
    const plan = await plans.find(planId);
    if (plan === undefined) throw new PlanNotFound();
    if (processor === undefined) throw new NoPaymentProcessor();
    const before = recordable(await payments.prices(plan.id));
    const productId = await processor.putProduct({ planId: plan.id, name: plan.name, tagline: plan.tagline ?? null });
    for (const interval of BILLING_INTERVALS) await this.syncPrice(processor, plan, interval, productId);
    const prices = await payments.prices(plan.id);
    for (const { priceId } of prices.filter(({ active }) => !active)) await processor.archivePrice(priceId);
    await audit.record({ ...cause, action: 'plans.sync', organizationId: null, target: { type: 'plan', id: plan.id }, before, after: recordable(prices) });
    return { processor: processor.name, productId, prices: prices.filter(({ active }) => active) };
  }

  /** The price that is sold now; makes it when the plan has changed since. Throws NotForSale or NoPaymentProcessor. */
  async priceOf(plan: Plan, interval: BillingInterval): Promise<string> {
    if (amountOf(plan, interval) === 0) throw new NotForSale(plan.code);
    const isCurrent = (price: PlanPrice): boolean => price.active && price.interval === interval && price.amount === amountOf(plan, interval) && price.currency === this.deps.currency;
    const found = (await this.deps.payments.prices(plan.id)).find(isCurrent) ?? (await this.sync(plan.id, BY_ITSELF)).prices.find(isCurrent);
    if (found === undefined) throw new NotForSale(plan.code); // the plan changed meanwhile
    return found.priceId;
  }

  private async syncPrice(processor: PaymentProcessor, plan: Plan, interval: BillingInterval, productId: string): Promise<void> {
    const { payments, currency } = this.deps;
    const all = (await payments.prices(plan.id)).filter((price) => price.interval === interval);
    const amount = amountOf(plan, interval);
    if (amount === 0) return payments.stopSelling(plan.id, interval);
    if (all.some((price) => price.active && price.amount === amount && price.currency === currency && price.productId === productId)) return;
    // the count tells the second time of a price from the first; two who sync at once get one price
    const priceId = await processor.createPrice(productId, { interval, amount, currency }, `price:${plan.id}:${interval}:${amount}:${currency}:${all.length}`);
    await payments.sell({ planId: plan.id, interval, priceId, productId, amount, currency });
  }
}

function recordable(prices: readonly PlanPrice[]): Snapshot {
  return snapshot('plan', { prices: prices.filter(({ active }) => active).map(({ interval, amount, currency }) => ({ interval, amount, currency })) });
}

/** In the smallest unit; the configuration allows only currencies with two decimals. */
function amountOf({ monthlyPrice, yearlyPrice }: Plan, interval: BillingInterval): number {
  return Math.round((interval === 'yearly' ? yearlyPrice : monthlyPrice) * 100);
}
