import { messageOf } from '@satellite/kit/core';
import type { Job } from '@satellite/kit/jobs';
import type { Logger } from '@satellite/kit/telemetry';
import type { SubscriptionsRepository } from './subscriptions.repository.js';
import type { SubscriptionsService } from './subscriptions.service.js';

/**
 * Moves subscriptions on when their time has come. Limits end at their moment without it (the view says so); it writes
 * down what follows and tells the launchpads.
 */
export function subscriptionClock(subscriptions: SubscriptionsRepository, service: SubscriptionsService, logger: Logger): Job {
  return {
    name: 'subscriptions.move-on',
    schedule: '*/15 * * * * *',
    run: async ({ signal }) => {
      let moved = 0;
      for (const organizationId of await subscriptions.lapsed()) moved += await settled(organizationId);
      // one that was forgotten for months catches up period by period
      for (let rolled = -1; rolled !== 0 && !signal.aborted; moved += rolled) rolled = await service.rollPeriods();
      return moved;
    },
  };

  /** One organization that fails must not keep the others. */
  async function settled(organizationId: string): Promise<number> {
    try {
      await service.settle(organizationId);
      return 1;
    } catch (error) {
      logger.error({ error: messageOf(error), organizationId }, 'a subscription could not be moved on');
      return 0;
    }
  }
}
