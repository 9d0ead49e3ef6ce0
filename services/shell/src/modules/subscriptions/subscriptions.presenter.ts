import type { Usage } from './quota.repository.js';
import type { LimitCheck } from './quota.service.js';
import type { LimitCheckView, SubscriptionView, UsageView } from './subscriptions.dto.js';
import type { SubscriptionWithPlans } from './subscriptions.service.js';

export function presentSubscription({ subscription, plan, next }: SubscriptionWithPlans): SubscriptionView {
  const { id, organizationId, status, interval, currentPeriodStart, currentPeriodEnd, lapsesAt } = subscription;
  return {
    id, organizationId, planCode: plan.code, planName: plan.name, status, interval, currentPeriodStart, currentPeriodEnd,
    cancelAtPeriodEnd: status === 'canceled', endsAt: lapsesAt ?? null, nextPlanCode: next?.code ?? null,
  };
}

export function presentUsage({ limitKey, limit, used, period, resetsAt }: Usage): UsageView {
  const unlimited = limit === -1;
  return { limitKey, limit, used, remaining: unlimited ? null : Math.max(0, limit - used), period, resetsAt, overLimit: !unlimited && used > limit };
}

export function presentLimitCheck(check: LimitCheck): LimitCheckView {
  const usage = presentUsage(check);
  return { ...usage, reached: usage.remaining === 0, allowed: check.allowed };
}
