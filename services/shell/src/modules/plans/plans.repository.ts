import { LockMode, type FilterQuery } from '@mikro-orm/core';
import type { ListQuery, Page } from '@satellite/kit/core';
import { findPage, type Database } from '@satellite/kit/db';
import { Plan } from './plan.entity.js';
import type { PlanLimit } from './plan.rules.js';

/** Limits that the platform itself counts; apps declare more. */
export const PLATFORM_LIMIT_KEYS = ['users', 'apps', 'api_calls'] as const;

/** An app that a plan includes. */
export interface PlanService {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly icon: string | null;
}

const OFFERED: FilterQuery<Plan> = { status: 'active' };

/** Plans are the platform's, not an organization's: no tenant filter applies. */
export class PlansRepository {
  constructor(private readonly db: Database) {}

  /** @param all also those that are not offered */
  page(query: ListQuery, all: boolean): Promise<Page<Plan>> {
    return findPage(this.db.em, Plan, query, all ? {} : OFFERED, 'id');
  }

  /** Those of the pricing page, cheapest first. */
  offered(): Promise<Plan[]> {
    return this.db.em.find(Plan, OFFERED, { orderBy: { monthlyPrice: 'asc', code: 'asc' } });
  }

  async find(id: string): Promise<Plan | undefined> {
    return (await this.db.em.findOne(Plan, { id })) ?? undefined;
  }

  async findByCode(code: string): Promise<Plan | undefined> {
    return code.includes('\0') ? undefined : ((await this.db.em.findOne(Plan, { code })) ?? undefined); // PostgreSQL has no NUL in text
  }

  /** The row, locked until the running transaction ends. */
  async lock(id: string): Promise<Plan | undefined> {
    return (await this.db.em.findOne(Plan, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) ?? undefined;
  }

  add(plan: Plan): Promise<void> {
    this.db.em.persist(plan);
    return this.db.em.flush();
  }

  flush(): Promise<void> {
    return this.db.em.flush();
  }

  /** The registered apps among these ids. */
  services(ids: readonly string[]): Promise<PlanService[]> {
    return this.db.query<PlanService>('select id, slug, name, icon from apps where id = any(?::uuid[]) order by lower(name), id', [[...ids]]);
  }

  /** Limits by plan id. */
  async limitsOf(planIds: readonly string[]): Promise<Map<string, PlanLimit[]>> {
    const rows = await this.db.query<{ planId: string; limitKey: string; limitValue: string; period: PlanLimit['period'] }>(
      `select plan_id as "planId", limit_key as "limitKey", limit_value as "limitValue", period from plan_limits where plan_id = any(?::uuid[]) order by limit_key`,
      [[...planIds]],
    );
    const limits = new Map(planIds.map((id) => [id, [] as PlanLimit[]]));
    for (const { planId, limitKey, limitValue, period } of rows) limits.get(planId)?.push({ limitKey, limitValue: Number(limitValue), period });
    return limits;
  }

  async replaceLimits(planId: string, limits: readonly PlanLimit[]): Promise<void> {
    await this.db.query('delete from plan_limits where plan_id = ?', [planId]);
    await this.db.query('insert into plan_limits (plan_id, limit_key, limit_value, period) select ?::uuid, * from unnest(?::text[], ?::bigint[], ?::text[])', [
      planId, limits.map(({ limitKey }) => limitKey), limits.map(({ limitValue }) => limitValue), limits.map(({ period }) => period),
    ]);
  }

  /** Every key that somebody counts. */
  async knownLimitKeys(): Promise<Set<string>> {
    const declared = await this.db.query<{ key: string }>('select key from app_limit_keys');
    return new Set([...PLATFORM_LIMIT_KEYS, ...declared.map(({ key }) => key)]);
  }
}
