import { InvalidFields } from '@satellite/kit/core';
import type { IdempotencyStore } from '@satellite/kit/db';
import { PLATFORM_LIMIT_KEYS } from '../plans/index.js';
import type { QuotaRepository, Usage } from './quota.repository.js';
import { CountedByPlatform, QuotaExceeded, UnknownLimitKey } from './subscriptions.errors.js';

/** Who uses something up, and how much of what. */
export interface ConsumeRequest {
  readonly organizationId: string;
  /** Whose Idempotency-Key it is: the person or the service that asks. */
  readonly actorId: string;
  readonly limitKey: string;
  /** 1 unless given. */
  readonly amount?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Whether there is room for `amount` more. */
export interface LimitCheck extends Usage {
  readonly allowed: boolean;
}

const MAX_AMOUNT = 1_000_000_000;

/** Quotas: how much of a plan's limits is used up. */
export class QuotaService {
  constructor(
    private readonly quota: QuotaRepository,
    private readonly idempotency: IdempotencyStore,
  ) {}

  usage(organizationId: string): Promise<Usage[]> {
    return this.quota.usage(organizationId);
  }

  /** Answers as consume would, without counting. Throws InvalidFields or UnknownLimitKey. */
  async check(organizationId: string, limitKey: string, amount = 1): Promise<LimitCheck> {
    assertAmount(amount);
    const usage = await this.usageOrNothing(organizationId, limitKey);
    return { ...usage, allowed: usage.limit === -1 || usage.used + amount <= usage.limit };
  }

  /**
   * Counts `amount` or nothing; with an Idempotency-Key once, however often it is asked for. Throws QuotaExceeded,
   * UnknownLimitKey, CountedByPlatform, InvalidFields, and what the idempotency store throws.
   */
  async consume(request: ConsumeRequest): Promise<{ readonly replayed: boolean }> {
    const { organizationId, actorId, limitKey, amount = 1, idempotencyKey } = request;
    assertAmount(amount);
    if (idempotencyKey === undefined) {
      await this.count(organizationId, limitKey, amount);
      return { replayed: false };
    }
    const once = { organizationId, actorId, key: idempotencyKey, operation: 'subscriptions.consume', body: { limitKey, amount } };
    return this.idempotency.once(once, async () => {
      await this.count(organizationId, limitKey, amount);
      return { success: true };
    });
  }

  private async count(organizationId: string, limitKey: string, amount: number): Promise<void> {
    const outcome = await this.quota.consume(organizationId, limitKey, amount);
    if (outcome === 'counted') return;
    if (outcome === 'counted_by_platform') throw new CountedByPlatform(limitKey);
    throw new QuotaExceeded(limitKey, await this.usageOrNothing(organizationId, limitKey));
  }

  /** A key that is counted, but is no part of the plan, is one of which there is nothing. */
  private async usageOrNothing(organizationId: string, limitKey: string): Promise<Usage> {
    const usage = await this.quota.usageOf(organizationId, limitKey);
    if (usage !== undefined) return usage;
    const isKnown = (PLATFORM_LIMIT_KEYS as readonly string[]).includes(limitKey) || (await this.quota.isDeclared(limitKey));
    if (!isKnown) throw new UnknownLimitKey(limitKey);
    return { limitKey, limit: 0, used: 0, period: 'total', resetsAt: null };
  }
}

function assertAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_AMOUNT) throw new InvalidFields([{ field: 'amount', message: `must be a whole number from 1 to ${MAX_AMOUNT}` }]);
}
