import { DeliveryRunner } from '@satellite/kit/jobs';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import type { PaymentTask, PaymentsRepository } from './payments.repository.js';
import type { PaymentProcessor } from './processor.js';

/** Tells the processor what has been decided here: after the commit, in order, and again until it has heard. */
export function processorTasks(processor: PaymentProcessor, payments: PaymentsRepository, { metrics, logger }: { readonly metrics: Registry; readonly logger: Logger }): DeliveryRunner<PaymentTask> {
  return new DeliveryRunner({ name: 'payment-tasks', table: payments.tasks, deliver: (task) => tell(processor, task), metrics, logger });
}

async function tell(processor: PaymentProcessor, { id, kind, subscriptionId, priceId }: PaymentTask): Promise<void> {
  if (kind === 'cancel_now') return processor.cancelNow(subscriptionId);
  if (kind !== 'change_price') return processor.setCancelAtPeriodEnd(subscriptionId, kind === 'cancel_at_period_end');
  if (priceId === null) throw new Error('the plan has no price at the processor; sync it');
  await processor.changePrice(subscriptionId, { priceId, chargeNow: false }, `task:${id}`);
}
