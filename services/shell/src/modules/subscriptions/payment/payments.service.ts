import { InvalidFields } from '@satellite/kit/core';
import { kept, type Database } from '@satellite/kit/db';
import { RateLimited, type RateLimiter } from '@satellite/kit/http';
import { snapshot, type AuditEvent, type AuditTrail } from '../../audit/index.js';
import type { UserActor } from '../../auth/index.js';
import type { Plan, PlansRepository } from '../../plans/index.js';
import type { BillingInterval } from '../subscription.entity.js';
import { isUpgrade, offeredTo } from '../subscriptions.policy.js';
import type { SubscriptionsRepository } from '../subscriptions.repository.js';
import type { SubscriptionsService, SubscriptionWithPlans } from '../subscriptions.service.js';
import { AlreadyOnPlan, NoPaymentProcessor, PaymentFailed, PaymentMethodNotFound } from './payment.errors.js';
import type { PaymentsRepository } from './payments.repository.js';
import type { PlanSales } from './plan-sales.service.js';
import type { PaymentMethod, PaymentProcessor, ProcessorSubscription } from './processor.js';
import { returnUrlOf } from './return-url.js';
import type { SubscriptionSync } from './subscription-sync.js';

/** Undefined where an installation takes no payments. */
export interface Processing {
  readonly processor: PaymentProcessor;
  readonly sync: SubscriptionSync;
}

export interface PaymentsServiceDeps {
  readonly processing: Processing | undefined;
  readonly payments: PaymentsRepository;
  readonly plans: PlansRepository;
  readonly sales: PlanSales;
  readonly subscriptions: { readonly service: SubscriptionsService; readonly repository: SubscriptionsRepository };
  readonly db: Database;
  readonly audit: AuditTrail;
  readonly limits: { readonly limiter: RateLimiter; readonly perMinute: number; /** The platform's own first. */ readonly returnOrigins: readonly string[] };
}

/** A wish to pay for a plan. */
export interface PaidPlan {
  readonly planCode: string;
  readonly interval: BillingInterval;
}

/** Paying for plans: for the organization of whoever asks, and no other. */
export class PaymentsService {
  constructor(private readonly deps: PaymentsServiceDeps) {}

  /** Address of a page to pay on. Throws InvalidFields, NotForSale, AlreadyOnPlan, RateLimited, and what the processor throws. */
  async upgrade(actor: UserActor, wish: PaidPlan): Promise<string> {
    const { processor } = await this.processing(actor);
    const { plan, current, priceId } = await this.prepared(actor, wish);
    if (isPaidAlready(current, plan, wish.interval)) throw new AlreadyOnPlan(plan.code);
    const { customerId, openCheckoutId } = await this.customer(actor, processor);
    // one open page at a time, so that nobody pays on two; two clicks at once share the key and get the same page
    if (openCheckoutId !== null) await processor.expireCheckout(openCheckoutId);
    const base = this.deps.limits.returnOrigins[0] ?? '';
    const page = { customerId, priceId, successUrl: `${base}/settings/billing?checkout=success`, cancelUrl: `${base}/settings/billing?checkout=canceled` };
    const session = await processor.checkout(page, `checkout:${stateOf(current)}:${priceId}:${openCheckoutId ?? ''}`);
    await this.deps.db.run(async () => {
      await this.deps.payments.setOpenCheckout(actor.organizationId, session.id);
      await this.record(actor, 'subscriptions.upgrade', { target: { type: 'subscription', id: current.subscription.id }, after: snapshot('subscription', { planCode: plan.code, interval: wish.interval }) });
      await kept(session.url);
    });
    return session.url;
  }

  /** Pays with a saved card, at once; asking twice pays once. Throws PaymentMethodNotFound, PaymentFailed, and what `upgrade` throws. */
  async upgradeDirect(actor: UserActor, wish: PaidPlan & { readonly paymentMethodId: string }): Promise<void> {
    const { processor, sync } = await this.processing(actor);
    const { plan, current, priceId } = await this.prepared(actor, wish);
    const customer = await this.deps.payments.customer(actor.organizationId);
    const methods = customer === undefined ? [] : await processor.paymentMethods(customer.customerId);
    if (customer === undefined || !methods.some(({ id }) => id === wish.paymentMethodId)) throw new PaymentMethodNotFound();
    if (isPaidAlready(current, plan, wish.interval)) return this.done(() => this.record(actor, 'subscriptions.upgrade_direct', { target: { type: 'subscription', id: current.subscription.id } }));
    const paidNow = current.subscription.processorSubscriptionId ?? undefined;
    if (paidNow !== undefined && plan.id !== current.plan.id && !isUpgrade(current.plan, plan)) return this.done(() => this.deps.subscriptions.service.switchPlan({ organizationId: actor.organizationId, planCode: plan.code, byPlatform: false, action: 'subscriptions.upgrade_direct' }));
    const number = await this.deps.payments.nextSyncNumber();
    const state = await this.paying(actor, () => {
      const key = `direct:${stateOf(current)}:${priceId}:${wish.paymentMethodId}`;
      const { paymentMethodId } = wish;
      return paidNow === undefined ? processor.subscribe({ customerId: customer.customerId, priceId, paymentMethodId }, key) : processor.changePrice(paidNow, { priceId, paymentMethodId, chargeNow: true }, key);
    });
    if (state.status !== 'active') throw new PaymentFailed('the bank asks for more; use the checkout page');
    await this.done(() => sync.apply(state, number, { action: 'subscriptions.upgrade_direct' }));
  }

  /** What is done here after a payment, in one transaction with the word that it is done. */
  private done(work: () => Promise<void>): Promise<void> {
    return this.deps.db.run(async () => {
      await work();
      await kept(undefined);
    });
  }

  /** Address of the page that sees to cards and to the end of the subscription. */
  async portal(actor: UserActor, returnUrl: string | undefined): Promise<string> {
    const target = returnUrlOf(returnUrl, this.deps.limits.returnOrigins);
    const { processor } = await this.processing(actor);
    return processor.portal((await this.customer(actor, processor)).customerId, target);
  }

  /** A secret with which a browser saves a card at the processor. */
  async setup(actor: UserActor): Promise<string> {
    const { processor } = await this.processing(actor);
    const secret = await processor.setup((await this.customer(actor, processor)).customerId);
    await this.record(actor, 'payment_methods.setup', { target: { type: 'organization', id: actor.organizationId } });
    return secret;
  }

  async paymentMethods(actor: UserActor): Promise<PaymentMethod[]> {
    const { processor } = await this.processing(actor);
    const customer = await this.deps.payments.customer(actor.organizationId);
    return customer === undefined ? [] : processor.paymentMethods(customer.customerId);
  }

  async removePaymentMethod(actor: UserActor, id: string): Promise<void> {
    const { processor } = await this.processing(actor);
    await processor.removePaymentMethod(await this.knownCustomer(actor), id);
    await this.record(actor, 'payment_methods.delete', { target: { type: 'payment_method', id } });
  }

  async setDefaultPaymentMethod(actor: UserActor, id: string): Promise<void> {
    const { processor } = await this.processing(actor);
    await processor.setDefaultPaymentMethod(await this.knownCustomer(actor), id);
    await this.record(actor, 'payment_methods.set_default', { target: { type: 'payment_method', id }, after: snapshot('payment_method', { isDefault: true }) });
  }

  /** What was done at the processor is recorded once it has answered: nothing outside can be in our transaction. */
  private record({ organizationId }: UserActor, action: AuditEvent['action'], what: Pick<AuditEvent, 'target' | 'after'>): Promise<void> {
    return this.deps.audit.record({ action, organizationId, ...what });
  }

  private async processing({ organizationId }: UserActor): Promise<Processing> {
    const { processing, limits } = this.deps;
    if (processing === undefined) throw new NoPaymentProcessor();
    const state = await limits.limiter.hit({ name: 'billing', limit: limits.perMinute, windowSeconds: 60 }, organizationId);
    if (!state.allowed) throw new RateLimited(state.reset);
    return processing;
  }

  private async prepared({ organizationId }: UserActor, { planCode, interval }: PaidPlan): Promise<{ plan: Plan; current: SubscriptionWithPlans; priceId: string }> {
    const plan = await this.deps.plans.findByCode(planCode);
    if (plan === undefined || !offeredTo(plan, false)) throw new InvalidFields([{ field: 'planCode', message: `there is no plan "${planCode.slice(0, 40)}" on offer` }]);
    return { plan, current: await this.deps.subscriptions.service.current(organizationId), priceId: await this.deps.sales.priceOf(plan, interval) };
  }

  private async customer({ organizationId, userId }: UserActor, processor: PaymentProcessor): Promise<{ customerId: string; openCheckoutId: string | null }> {
    const { payments } = this.deps;
    const known = await payments.customer(organizationId);
    if (known !== undefined) return known;
    await payments.addCustomer(organizationId, await processor.createCustomer({ organizationId, ...(await payments.contact(organizationId, userId)) }));
    const added = await payments.customer(organizationId);
    if (added === undefined) throw new Error('the customer was not stored');
    return added;
  }

  private async knownCustomer({ organizationId }: UserActor): Promise<string> {
    const customer = await this.deps.payments.customer(organizationId);
    if (customer === undefined) throw new PaymentMethodNotFound();
    return customer.customerId;
  }

  /** After a refusal the next try is a new one; the processor would repeat its answer to the old key. */
  private async paying({ organizationId }: UserActor, work: () => Promise<ProcessorSubscription>): Promise<ProcessorSubscription> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PaymentFailed) await this.deps.subscriptions.repository.touch(organizationId);
      throw error;
    }
  }
}

/** Names what a payment starts from: two requests that found the same state are one request. */
function stateOf({ subscription: { id, version } }: SubscriptionWithPlans): string {
  return `${id}:${version}`;
}

function isPaidAlready({ subscription, plan: present }: SubscriptionWithPlans, plan: Plan, interval: BillingInterval): boolean {
  return subscription.processorSubscriptionId != null && subscription.status === 'active' && present.id === plan.id && subscription.interval === interval && subscription.nextPlanId == null;
}
