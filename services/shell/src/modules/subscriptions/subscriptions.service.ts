import { InvalidFields } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { Tenancy } from '../../tenancy.js';
import { snapshot, SYSTEM, type AuditAction, type AuditActor, type Snapshot } from '../audit/index.js';
import { FREE_PLAN, type Plan, type PlansRepository, type VisibleChanges } from '../plans/index.js';
import { Subscription } from './subscription.entity.js';
import { isFree, isUpgrade, offeredTo } from './subscriptions.policy.js';
import { PaymentRequired } from './subscriptions.errors.js';
import type { SubscriptionsRepository } from './subscriptions.repository.js';

/** A subscription with its plans. */
export interface SubscriptionWithPlans {
  readonly subscription: Subscription;
  readonly plan: Plan;
  /** What follows when the subscription lapses; undefined while it goes on. */
  readonly next: Plan | undefined;
}

/** A wish to be on another plan without going through a payment. */
export interface PlanSwitch {
  readonly organizationId: string;
  readonly planCode: string;
  /** The platform gives what it likes; organizations only what they need not pay for. */
  readonly byPlatform: boolean;
  /** What was asked for, as the audit trail names it. */
  readonly action: AuditAction;
}

/** Why a subscription may change. */
export interface SubscriptionCause {
  readonly action: AuditAction;
  /** Whoever sends the running request unless given. */
  readonly actor?: AuditActor;
  /** Nobody asked for it: no change, no entry. */
  readonly ifChanged?: boolean;
}

const TIME_PASSED: SubscriptionCause = { action: 'subscriptions.settle', actor: SYSTEM, ifChanged: true };

export interface SubscriptionsServiceDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionsRepository;
  readonly plans: PlansRepository;
  readonly tenancy: Tenancy;
  readonly changes: VisibleChanges;
  readonly trialDays: number;
  readonly processorTasks: ProcessorTasks;
}

/** What the payment processor is told after the commit; the payment part supplies it. */
export interface ProcessorTasks {
  /** `planId` for change_price: the plan whose price is paid from the next period on. */
  add(subscription: Subscription, kind: 'cancel_now' | 'cancel_at_period_end' | 'go_on' | 'change_price', planId?: string): Promise<void>;
}

/** Who is paid for a subscription. */
export type PaidBy = Pick<Subscription, 'processor' | 'processorSubscriptionId' | 'syncNumber'>;
const NOBODY: PaidBy = { processor: null, processorSubscriptionId: null, syncNumber: 0 };

/** Which plan an organization is on, and until when. */
export class SubscriptionsService {
  constructor(private readonly deps: SubscriptionsServiceDeps) {}

  /** Of an organization that exists; one that was made by hand gets its subscription here. */
  async current(organizationId: string): Promise<SubscriptionWithPlans> {
    const found = await this.deps.subscriptions.current(organizationId);
    const subscription = found === undefined || found.hasLapsed(Date.now()) ? await this.settle(organizationId) : found;
    return this.withPlans(subscription);
  }

  /**
   * The first subscription of an organization, in the transaction that makes it. A plan that costs something begins as
   * a trial, unless the platform gives it. Throws InvalidFields.
   */
  async begin(organizationId: string, planCode: string, { byPlatform }: { readonly byPlatform: boolean }): Promise<void> {
    const plan = await this.deps.plans.findByCode(planCode);
    if (plan === undefined || !offeredTo(plan, byPlatform)) throw new InvalidFields([{ field: 'plan', message: `there is no plan "${planCode.slice(0, 40)}" on offer` }]);
    const [start, days] = [new Date(), this.deps.trialDays];
    const isPaidFor = byPlatform || isFree(plan);
    await this.deps.subscriptions.add(isPaidFor ? Subscription.begin({ organizationId, planId: plan.id, interval: 'monthly', start }) : Subscription.beginTrial({ organizationId, planId: plan.id, start, days }));
  }

  /**
   * Puts an organization on a plan without payment: at once by the platform, for organizations with the end of the
   * period they have paid for. Throws InvalidFields or PaymentRequired.
   */
  async switchPlan({ organizationId, planCode, byPlatform, action }: PlanSwitch): Promise<void> {
    const plan = await this.deps.plans.findByCode(planCode);
    await this.changing(organizationId, { action }, async (subscription) => {
      const isOwn = plan !== undefined && plan.id === subscription.planId;
      if (plan === undefined || !(isOwn || offeredTo(plan, byPlatform))) throw new InvalidFields([{ field: 'planCode', message: `there is no plan "${planCode.slice(0, 40)}" on offer` }]);
      if (byPlatform) await this.moveNow(subscription, plan);
      else await this.moveLater(subscription, plan);
    });
  }

  /** Moves an organization on whose right to its plan has ended; does nothing to others. */
  settle(organizationId: string): Promise<Subscription> {
    return this.changing(organizationId, TIME_PASSED, (subscription) => Promise.resolve(subscription));
  }

  /** Begins the next period of subscriptions that go on by themselves; answers how many there were. */
  rollPeriods(): Promise<number> {
    const { subscriptions, changes } = this.deps;
    return this.deps.db.run(async () => {
      const rolled = await subscriptions.rollPeriods();
      for (const { id, organizationId, ...period } of rolled) await changes.record({ action: 'subscriptions.renew', actor: SYSTEM, organizationId, target: { type: 'subscription', id }, after: snapshot('subscription', period) });
      return rolled.length;
    });
  }

  private async moveNow(subscription: Subscription, plan: Plan): Promise<void> {
    if (plan.id === subscription.planId) return this.goOn(subscription);
    await this.deps.processorTasks.add(subscription, 'cancel_now');
    await this.replace(subscription, plan);
  }

  /** Takes back what was to happen at the end of the period. */
  private async goOn(subscription: Subscription): Promise<void> {
    if (subscription.status === 'canceled') await this.deps.processorTasks.add(subscription, 'go_on');
    else if (subscription.nextPlanId != null) await this.deps.processorTasks.add(subscription, 'change_price', subscription.planId);
    subscription.goOn();
  }

  private async moveLater(subscription: Subscription, plan: Plan): Promise<void> {
    const now = await this.planOf(subscription.planId);
    if (plan.id === now.id) {
      const isPaidFor = subscription.processorSubscriptionId != null;
      if (subscription.status === 'canceled' && !isPaidFor) throw new PaymentRequired(plan.code);
      if (subscription.status === 'active' || subscription.status === 'canceled') await this.goOn(subscription);
      return;
    }
    if (isUpgrade(now, plan) || (subscription.status === 'trial' && !isFree(plan))) throw new PaymentRequired(plan.code);
    if (isFree(now)) return void (await this.replace(subscription, plan));
    if (isFree(plan)) await this.deps.processorTasks.add(subscription, 'cancel_at_period_end');
    else await this.deps.processorTasks.add(subscription, 'change_price', plan.id);
    subscription.endWithPeriod(plan.code === FREE_PLAN ? null : plan.id);
  }

  /** The old one ends now, so that its period and price stay on record, and another one begins. */
  async replace(subscription: Subscription, plan: Plan, paid: PaidBy = NOBODY): Promise<Subscription> {
    const { organizationId, interval } = subscription;
    subscription.expire();
    await this.deps.subscriptions.flush(); // before the next row: one unexpired subscription an organization
    const next = Object.assign(Subscription.begin({ organizationId, planId: plan.id, interval, start: new Date() }), paid);
    await this.deps.subscriptions.add(next);
    await this.deps.subscriptions.namePlan(organizationId, plan.code);
    return next;
  }

  /** Runs `work` on the subscription as it is now, with the organization locked; tells every process afterwards. */
  changing<T>(organizationId: string, cause: SubscriptionCause, work: (subscription: Subscription) => Promise<T>): Promise<T> {
    const { subscriptions, tenancy, changes } = this.deps;
    return changes.run(async () => {
      await tenancy.lock(organizationId);
      const found = await subscriptions.currentLocked(organizationId);
      const before = found && (await this.recordable(found));
      const result = await work(await this.upToDate(organizationId, found));
      await subscriptions.flush();
      const left = await subscriptions.currentLocked(organizationId);
      await changes.record({ ...cause, organizationId, target: { type: 'subscription', id: left?.id ?? organizationId }, before, after: left && (await this.recordable(left)) });
      return result;
    });
  }

  private async recordable({ planId, nextPlanId, lapsesAt, ...subscription }: Subscription): Promise<Snapshot> {
    const nextPlanCode = nextPlanId == null ? null : (await this.planOf(nextPlanId)).code;
    return snapshot('subscription', subscription, { planCode: (await this.planOf(planId)).code, endsAt: lapsesAt ?? null, nextPlanCode });
  }

  private async upToDate(organizationId: string, found: Subscription | undefined): Promise<Subscription> {
    if (found === undefined) return this.missing(organizationId);
    if (!found.hasLapsed(Date.now())) return found;
    const next = found.nextPlanId == null ? await this.freePlan() : await this.planOf(found.nextPlanId);
    const { processor, processorSubscriptionId, syncNumber } = found;
    return this.replace(found, next, isFree(next) ? NOBODY : { processor, processorSubscriptionId, syncNumber }); // a cheaper plan goes on being paid for
  }

  private async missing(organizationId: string): Promise<Subscription> {
    const named = await this.deps.subscriptions.namedPlan(organizationId);
    const plan = (named === undefined ? undefined : await this.deps.plans.findByCode(named)) ?? (await this.freePlan());
    const subscription = Subscription.begin({ organizationId, planId: plan.id, interval: 'monthly', start: new Date() });
    await this.deps.subscriptions.add(subscription);
    return subscription;
  }

  private async withPlans(subscription: Subscription): Promise<SubscriptionWithPlans> {
    const plan = await this.planOf(subscription.planId);
    if (subscription.lapsesAt == null) return { subscription, plan, next: undefined };
    return { subscription, plan, next: subscription.nextPlanId == null ? await this.freePlan() : await this.planOf(subscription.nextPlanId) };
  }

  async planOf(id: string): Promise<Plan> {
    const plan = await this.deps.plans.find(id);
    if (plan === undefined) throw new Error(`the plan ${id} of a subscription is gone`);
    return plan;
  }

  async freePlan(): Promise<Plan> {
    const plan = await this.deps.plans.findByCode(FREE_PLAN);
    if (plan === undefined) throw new Error(`the plan ${FREE_PLAN} is gone`);
    return plan;
  }
}
