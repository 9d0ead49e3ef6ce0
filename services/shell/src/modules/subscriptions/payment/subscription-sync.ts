import { SYSTEM } from '../../audit/index.js';
import type { Subscription } from '../subscription.entity.js';
import type { SubscriptionCause, SubscriptionsService } from '../subscriptions.service.js';
import type { PaymentsRepository, PlanPrice } from './payments.repository.js';
import type { PaymentProcessor, ProcessorSubscription } from './processor.js';

/** Makes our subscription what the processor says it is. */
export class SubscriptionSync {
  constructor(
    private readonly processor: PaymentProcessor,
    private readonly payments: PaymentsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly graceDays: number,
  ) {}

  /** Asks the processor and applies the answer. An old event asks for the present state too, so no order of events matters. */
  async refresh(subscriptionId: string): Promise<void> {
    const number = await this.payments.nextSyncNumber();
    const state = await this.processor.subscription(subscriptionId);
    if (state === undefined) throw new Error(`the processor knows no subscription ${subscriptionId}`);
    await this.apply(state, number, { action: 'subscriptions.sync', actor: { ...SYSTEM, id: this.processor.name }, ifChanged: true });
  }

  /** @param number taken before the processor was asked for the state */
  async apply(state: ProcessorSubscription, number: number, cause: SubscriptionCause): Promise<void> {
    if (state.status === 'incomplete') return;
    const organizationId = await this.payments.organizationOf(state.customerId);
    const price = await this.payments.price(state.priceId);
    if (organizationId === undefined) throw new Error(`the customer ${state.customerId} is not ours`);
    if (price === undefined) throw new Error(`the price ${state.priceId} is of no plan`);
    await this.subscriptions.changing(organizationId, cause, async (current) => {
      if (current.processorSubscriptionId === state.id) await this.follow(current, state, price, number);
      else if (state.status === 'active' && !(await this.payments.isBeingCanceled(state.id))) await this.adopt(current, state, price, number);
    });
  }

  /** A subscription that is new to us takes the place of the present one; what was paid for until now ends, so that nobody pays twice. */
  private async adopt(current: Subscription, state: ProcessorSubscription, price: PlanPrice, number: number): Promise<void> {
    await this.payments.add(current, 'cancel_now');
    const next = await this.subscriptions.replace(current, await this.subscriptions.planOf(price.planId), { processor: this.processor.name, processorSubscriptionId: state.id, syncNumber: number });
    copyPeriod(next, state, price);
    if (state.cancelAtPeriodEnd) next.endWithPeriod(null);
  }

  private async follow(current: Subscription, state: ProcessorSubscription, price: PlanPrice, number: number): Promise<void> {
    if (current.syncNumber >= number) return; // a newer word is in there already
    if (state.status === 'ended') return void (await this.subscriptions.replace(current, await this.subscriptions.freePlan()));
    const isAnnounced = current.nextPlanId === price.planId; // paid from the next period on; until then the present plan
    const subscription = current.planId === price.planId || isAnnounced ? current : await this.subscriptions.replace(current, await this.subscriptions.planOf(price.planId), { processor: this.processor.name, processorSubscriptionId: state.id, syncNumber: number });
    subscription.syncNumber = number;
    copyPeriod(subscription, state, price);
    if (state.status === 'past_due') subscription.fallBehind(new Date(Date.now() + this.graceDays * 86_400_000));
    else if (state.cancelAtPeriodEnd) subscription.endWithPeriod(null);
    else if (subscription.nextPlanId == null) subscription.goOn();
  }
}

function copyPeriod(subscription: Subscription, { currentPeriodStart, currentPeriodEnd }: ProcessorSubscription, { interval }: PlanPrice): void {
  Object.assign(subscription, { currentPeriodStart, currentPeriodEnd, interval });
}
