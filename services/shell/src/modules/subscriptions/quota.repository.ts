import type { Database } from '@satellite/kit/db';
import type { LimitPeriod } from '../plans/index.js';

/** How much of one thing an organization has used, and how much it may. */
export interface Usage {
  readonly limitKey: string;
  /** -1 = unlimited. */
  readonly limit: number;
  readonly used: number;
  readonly period: LimitPeriod;
  /** When the counter begins again; null = never. */
  readonly resetsAt: Date | null;
}

type Numbers = { readonly [Field in keyof Usage]: Usage[Field] extends number ? string : Usage[Field] };

/** What the platform finds in its own tables: it is looked at, not counted a second time, and never begins again. */
export const PLATFORM_COUNTED = ['users', 'apps'] as const;
export type PlatformCounted = (typeof PLATFORM_COUNTED)[number];

const OWN_COUNT: Readonly<Record<PlatformCounted, string>> = {
  users: '(select count(*) from users u where u.organization_id = o.id)',
  apps: '(select count(*) from app_organizations s where s.organization_id = o.id and s.enabled)', // those switched on for it; what everybody has is nobody's
};
const IS_OWN = `l.limit_key in ('users', 'apps')`;
/** Period of a limit `l`. */
export const PERIOD = `case when ${IS_OWN} then 'total' else l.period end`;
/** Beginning of the running period of a limit `l`; `total` has begun with time itself. */
export const WINDOW_START = `case ${PERIOD} when 'monthly' then date_trunc('month', now(), 'UTC') when 'daily' then date_trunc('day', now(), 'UTC') else timestamptz '-infinity' end`;
const RESETS_AT = `case ${PERIOD} when 'monthly' then date_trunc('month', now(), 'UTC') + interval '1 month' when 'daily' then date_trunc('day', now(), 'UTC') + interval '1 day' end`;

const USAGE = `
select l.limit_key as "limitKey", l.limit_value as "limit", ${PERIOD} as period, ${RESETS_AT} as "resetsAt",
  case l.limit_key when 'users' then ${OWN_COUNT.users} when 'apps' then ${OWN_COUNT.apps} else case when c.window_start >= ${WINDOW_START} then c.used else 0 end end as used
from organizations o join organization_plans op on op.organization_id = o.id join plan_limits l on l.plan_id = op.plan_id
left join usage_counters c on c.organization_id = o.id and c.limit_key = l.limit_key
where o.id = ?`;

/**
 * One statement, so that nobody can come between looking and counting. A counter of an earlier period is as good as
 * none; one of a later period (another transaction was first past midnight) counts as it is. The row's lock makes
 * writers take turns, and each looks again at what the one before has left.
 */
export const CONSUME_STATEMENT = `
with allowed as (
  select l.limit_key, l.limit_value, ${PERIOD} as period, ${WINDOW_START} as window_start, ${RESETS_AT} as resets_at, ${IS_OWN} as own
  from organization_plans op join plan_limits l on l.plan_id = op.plan_id
  where op.organization_id = ? and l.limit_key = ?
), counted as (
  insert into usage_counters as c (organization_id, limit_key, used, window_start)
  select ?::uuid, ?::text, ?::bigint, window_start from allowed where not own and (limit_value = -1 or ?::bigint <= limit_value)
  on conflict (organization_id, limit_key) do update set
    used = case when c.window_start < excluded.window_start then excluded.used else c.used + excluded.used end,
    window_start = greatest(c.window_start, excluded.window_start)
  where (select limit_value = -1 from allowed)
     or case when c.window_start < excluded.window_start then 0 else c.used end + excluded.used <= (select limit_value from allowed)
  returning c.used
)
select limit_key as "limitKey", limit_value as "limit", period, resets_at as "resetsAt", own, (select used from counted) as used from allowed`;

/** What an attempt to consume came to: the usage after counting, or why nothing was counted. */
export type Consumption = Usage | 'refused' | 'not_in_plan' | 'counted_by_platform';

/** Counters of what organizations use. A hot path: SQL only. */
export class QuotaRepository {
  constructor(private readonly db: Database) {}

  async consume(organizationId: string, limitKey: string, amount: number): Promise<Consumption> {
    const [row] = await this.db.query<Omit<Numbers, 'used'> & { own: boolean; used: string | null }>(CONSUME_STATEMENT, [organizationId, limitKey, organizationId, limitKey, amount, amount]);
    if (row === undefined) return 'not_in_plan';
    const { own, used, ...rest } = row;
    if (own) return 'counted_by_platform';
    return used === null ? 'refused' : usageOf({ ...rest, used });
  }

  /**
   * Takes an amount off the counter, never below 0; also off one whose limit is no longer in the plan. What was counted
   * in a period that ended at `resetsAt` is none of a later one's business; null = whatever period it is.
   */
  async giveBack(organizationId: string, { limitKey, amount, resetsAt }: { limitKey: string; amount: number; resetsAt: Date | null }): Promise<void> {
    await this.db.query('update usage_counters set used = greatest(0, used - ?::bigint) where organization_id = ? and limit_key = ? and (?::timestamptz is null or window_start < ?::timestamptz)', [amount, organizationId, limitKey, resetsAt, resetsAt]);
  }

  /** Of every limit of the organization's plan, by key. */
  async usage(organizationId: string): Promise<Usage[]> {
    return (await this.db.query<Numbers>(`${USAGE} order by l.limit_key`, [organizationId])).map(usageOf);
  }

  /** Of one limit; undefined when the plan has no such limit. */
  async usageOf(organizationId: string, limitKey: string): Promise<Usage | undefined> {
    const [row] = await this.db.query<Numbers>(`${USAGE} and l.limit_key = ?`, [organizationId, limitKey]);
    return row && usageOf(row);
  }

  /** How many there are, whatever the plan says. */
  async ownCount(organizationId: string, limitKey: PlatformCounted): Promise<number> {
    const [row] = await this.db.query<{ used: string }>(`select ${OWN_COUNT[limitKey]} as used from organizations o where o.id = ?`, [organizationId]);
    return Number(row?.used ?? 0);
  }

  /** True when a registered app declares the key. */
  async isDeclared(limitKey: string): Promise<boolean> {
    return (await this.db.query('select from app_limit_keys where key = ?', [limitKey])).length > 0;
  }
}

/** Timestamps and bigints come as text. */
function usageOf({ limitKey, limit, used, period, resetsAt }: Numbers): Usage {
  return { limitKey, limit: Number(limit), used: Number(used), period, resetsAt: resetsAt === null ? null : new Date(resetsAt) };
}
