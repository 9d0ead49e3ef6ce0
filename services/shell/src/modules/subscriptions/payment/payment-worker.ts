import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { backoff, MAX_ATTEMPTS, type PaymentEvents } from './payment-events.service.js';
import type { PaymentTask, PaymentsRepository } from './payments.repository.js';
import type { PaymentProcessor } from './processor.js';

const TICK_MS = 5000;

/** Tries again what did not work, and tells the processor what has been decided here. */
export class PaymentWorker {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly processor: PaymentProcessor,
    private readonly payments: PaymentsRepository,
    private readonly events: PaymentEvents,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.payments.listen(() => void this.tick());
    this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** One round, and another one for what came meanwhile. */
  tick(): Promise<void> {
    this.again = true;
    this.running ??= this.rounds().finally(() => (this.running = undefined));
    return this.running;
  }

  private async rounds(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.events.round();
        for (const task of await this.payments.claimTasks()) await this.attempt(task);
      } catch (error) {
        this.logger.warn({ error: messageOf(error) }, 'payments could not be looked after; the next round tries again');
      }
    }
  }

  private async attempt(task: PaymentTask): Promise<void> {
    try {
      await this.tell(task);
      await this.payments.settleTask(task.id, 'done', null, 0);
    } catch (error) {
      const dead = task.attempts >= MAX_ATTEMPTS;
      this.logger[dead ? 'error' : 'warn']({ task: task.id, kind: task.kind, attempts: task.attempts, err: error }, 'the payment processor could not be told');
      await this.payments.settleTask(task.id, dead ? 'dead' : 'pending', messageOf(error).slice(0, 500), backoff(task.attempts));
    }
  }

  private async tell({ id, kind, subscriptionId, priceId }: PaymentTask): Promise<void> {
    if (kind === 'cancel_now') return this.processor.cancelNow(subscriptionId);
    if (kind !== 'change_price') return this.processor.setCancelAtPeriodEnd(subscriptionId, kind === 'cancel_at_period_end');
    if (priceId === null) throw new Error('the plan has no price at the processor; sync it');
    await this.processor.changePrice(subscriptionId, { priceId, chargeNow: false }, `task:${id}`);
  }
}
