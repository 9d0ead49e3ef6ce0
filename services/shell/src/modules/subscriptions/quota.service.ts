import { InvalidFields } from '@satellite/kit/core';
import type { IdempotencyStore } from '@satellite/kit/db';
import { PLATFORM_LIMIT_KEYS } from '../plans/index.js';
import { PLATFORM_COUNTED, type PlatformCounted, type QuotaRepository, type Usage } from './quota.repository.js';
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

/** What a key has counted; kept with the key. */
interface Counted {
  readonly limitKey: string;
  readonly amount: number;
  readonly resetsAt: string | null;
}

export interface Consumed {
  /** False: the limit would be passed, and nothing was counted. */
  readonly counted: boolean;
  readonly replayed: boolean;
  readonly usage: Usage;
}

/** What is given back, and what for. */
export interface ReleaseRequest {
  readonly organizationId: string;
  readonly actorId: string;
  readonly limitKey: string;
  /** 1 unless given. */
  readonly amount?: number | undefined;
  readonly idempotencyKey: string;
  /** End of the period in which it was counted; null or absent = the present one, or one without end. */
  readonly resetsAt?: Date | null | undefined;
}

/** A terabyte; single bytes of storage are counted. */
const MAX_AMOUNT = 1_000_000_000_000;
const CONSUME = 'subscriptions.consume';
const RELEASE = 'subscriptions.release';

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
   * Says that there is room for one more of what the platform finds in its own tables. To be called with everybody
   * locked out who could add one meanwhile, in the transaction that adds it. Throws QuotaExceeded.
   */
  async assertRoom(organizationId: string, limitKey: PlatformCounted): Promise<void> {
    const usage = await this.quota.usageOf(organizationId, limitKey);
    if (usage !== undefined && usage.limit !== -1 && usage.used >= usage.limit) throw new QuotaExceeded(limitKey, usage);
  }

  /**
   * Counts `amount` or nothing; with an Idempotency-Key once, however often it is asked for. Throws QuotaExceeded,
   * UnknownLimitKey, CountedByPlatform, InvalidFields, and what the idempotency store throws.
   */
  async consume(request: ConsumeRequest): Promise<{ readonly replayed: boolean }> {
    const { counted, replayed, usage } = await this.tryConsume(request);
    if (!counted) throw new QuotaExceeded(request.limitKey, usage);
    return { replayed };
  }

  /** The same, for callers to whom a limit that is reached is an answer. */
  async tryConsume(request: ConsumeRequest): Promise<Consumed> {
    const { organizationId, actorId, limitKey, amount = 1, idempotencyKey } = request;
    assertAmount(amount);
    try {
      if (idempotencyKey === undefined) return { counted: true, replayed: false, usage: await this.count(organizationId, limitKey, amount) };
      let usage: Usage | undefined;
      const once = { organizationId, actorId, key: idempotencyKey, operation: CONSUME, body: { limitKey, amount } };
      const { replayed } = await this.idempotency.once<Counted>(once, async () => {
        usage = await this.count(organizationId, limitKey, amount);
        return { limitKey, amount, resetsAt: usage.resetsAt?.toISOString() ?? null };
      });
      return { counted: true, replayed, usage: usage ?? (await this.usageOrNothing(organizationId, limitKey)) };
    } catch (error) {
      if (!(error instanceof QuotaExceeded)) throw error;
      return { counted: false, replayed: false, usage: error.usage };
    }
  }

  /** Gives back what a key has counted, once; from then on the key counts nothing. Answers whether there was something. Throws what the idempotency store throws. */
  async cancel({ organizationId, actorId, idempotencyKey }: Required<Pick<ConsumeRequest, 'organizationId' | 'actorId'>> & { readonly idempotencyKey: string }): Promise<boolean> {
    return this.idempotency.takingBack<Counted>({ organizationId, actorId, key: idempotencyKey, operation: CONSUME }, async ({ limitKey, amount, resetsAt }) => {
      await this.quota.giveBack(organizationId, { limitKey, amount, resetsAt: resetsAt === null ? null : new Date(resetsAt) });
    });
  }

  /** Gives back what is no longer used, once for a key. Throws UnknownLimitKey, InvalidFields, and what the idempotency store throws. */
  async release(request: ReleaseRequest): Promise<{ readonly replayed: boolean; readonly usage: Usage }> {
    const { organizationId, actorId, limitKey, amount = 1, idempotencyKey, resetsAt = null } = request;
    assertAmount(amount);
    const once = { organizationId, actorId, key: idempotencyKey, operation: RELEASE, body: { limitKey, amount, resetsAt } };
    const { replayed } = await this.idempotency.once(once, async () => {
      await this.usageOrNothing(organizationId, limitKey);
      await this.quota.giveBack(organizationId, { limitKey, amount, resetsAt });
      return {};
    });
    return { replayed, usage: await this.usageOrNothing(organizationId, limitKey) };
  }

  private async count(organizationId: string, limitKey: string, amount: number): Promise<Usage> {
    const outcome = await this.quota.consume(organizationId, limitKey, amount);
    if (typeof outcome !== 'string') return outcome;
    if (outcome === 'counted_by_platform') throw new CountedByPlatform(limitKey);
    throw new QuotaExceeded(limitKey, await this.usageOrNothing(organizationId, limitKey));
  }

  /** A key that is counted, but is no part of the plan, is one of which there is nothing; people and apps are then not limited. */
  private async usageOrNothing(organizationId: string, limitKey: string): Promise<Usage> {
    const usage = await this.quota.usageOf(organizationId, limitKey);
    if (usage !== undefined) return usage;
    const own = PLATFORM_COUNTED.find((key) => key === limitKey);
    if (own !== undefined) return { limitKey, limit: -1, used: await this.quota.ownCount(organizationId, own), period: 'total', resetsAt: null };
    const isKnown = (PLATFORM_LIMIT_KEYS as readonly string[]).includes(limitKey) || (await this.quota.isDeclared(limitKey));
    if (!isKnown) throw new UnknownLimitKey(limitKey);
    return { limitKey, limit: 0, used: 0, period: 'total', resetsAt: null };
  }
}

function assertAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_AMOUNT) throw new InvalidFields([{ field: 'amount', message: `must be a whole number from 1 to ${MAX_AMOUNT}` }]);
}
