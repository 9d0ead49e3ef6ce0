import { messageOf } from '@satellite/kit/core';
import type { IdempotencyStore } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import type { SubscriptionsRepository } from './subscriptions.repository.js';
import type { SubscriptionsService } from './subscriptions.service.js';

const TICK_MS = 15_000;
const SWEEP_MS = 3_600_000;

/**
 * Moves subscriptions on when their time has come. Limits end at their moment without it (the view says so); it writes
 * down what follows and tells the launchpads. Any number of processes may run it: each move looks again under a lock.
 */
export class SubscriptionClock {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private sweptAt = 0;

  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly service: SubscriptionsService,
    private readonly idempotency: IdempotencyStore,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One round; a round that takes longer than the interval is not started twice. */
  tick(): Promise<void> {
    this.running ??= this.round().finally(() => (this.running = undefined));
    return this.running;
  }

  private async round(): Promise<void> {
    try {
      for (const organizationId of await this.subscriptions.lapsed()) await this.settle(organizationId);
      while ((await this.subscriptions.rollPeriods()) > 0); // one that was forgotten for months catches up period by period
      if (Date.now() - this.sweptAt > SWEEP_MS) await this.sweep();
    } catch (error) {
      this.logger.warn({ error: messageOf(error) }, 'subscriptions could not be moved on; the next round tries again');
    }
  }

  /** One organization that fails must not keep the others. */
  private async settle(organizationId: string): Promise<void> {
    try {
      await this.service.settle(organizationId);
    } catch (error) {
      this.logger.error({ error: messageOf(error), organizationId }, 'a subscription could not be moved on');
    }
  }

  private async sweep(): Promise<void> {
    await this.idempotency.sweep();
    this.sweptAt = Date.now();
  }
}
