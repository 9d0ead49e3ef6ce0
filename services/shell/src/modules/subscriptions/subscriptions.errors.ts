import { AppError } from '@satellite/kit/core';
import type { Usage } from './quota.repository.js';

export class IllegalSubscriptionStatus extends AppError {
  readonly kind = 'conflict';
  readonly code = 'subscriptions.illegal_transition';
  constructor(from: string, to: string) {
    super(`A subscription that is ${from} cannot become ${to}.`, { from, to });
  }
}

/** Nobody gives themselves what others pay for. */
export class PaymentRequired extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'subscriptions.payment_required';
  constructor(planCode: string) {
    super(`The plan "${planCode}" has to be paid for. Use POST /api/subscriptions/upgrade.`, { planCode });
  }
}

/** Nobody counts this: neither the platform nor a registered app. */
export class UnknownLimitKey extends AppError {
  readonly kind = 'not_found';
  readonly code = 'subscriptions.unknown_limit_key';
  constructor(limitKey: string) {
    super(`Nobody counts "${limitKey}". Declare it in the app's registry entry first.`, { limitKey });
  }
}

/** The platform knows the number from its own tables; counting it a second time would make it wrong. */
export class CountedByPlatform extends AppError {
  readonly kind = 'invalid';
  readonly code = 'subscriptions.counted_by_platform';
  constructor(limitKey: string) {
    super(`"${limitKey}" is counted by the platform itself. Use check-limit.`, { limitKey });
  }
}

export class QuotaExceeded extends AppError {
  readonly kind = 'quota';
  readonly code = 'subscriptions.quota_exceeded';
  /** Seconds; sent as Retry-After. */
  readonly retryAfter: number | undefined;
  constructor(limitKey: string, readonly usage: Usage) {
    const { limit, used, resetsAt } = usage;
    super(refusalOf(limitKey, usage), { limitKey, limit, used, resetAt: resetsAt?.toISOString() ?? null });
    this.retryAfter = resetsAt === null ? undefined : Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000));
  }
}

/** What there is too much of, and what to change. */
function refusalOf(limitKey: string, { limit, used, resetsAt }: Usage): string {
  if (limitKey === 'users') return `The plan allows ${limit} people, and there are ${used}. Remove somebody first, or take a larger plan.`;
  if (limitKey === 'apps') return `The plan allows ${limit} apps, and ${used} are switched on. Switch one off first, or take a larger plan.`;
  if (limit === 0) return `The plan does not include "${limitKey}". Take one that does.`;
  return `The plan allows ${limit} of "${limitKey}", and ${used} are used. ${resetsAt === null ? 'Free some' : `Wait until ${resetsAt.toISOString()}`}, or take a larger plan.`;
}
