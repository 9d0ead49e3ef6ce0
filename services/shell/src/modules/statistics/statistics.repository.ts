import type { Database } from '@satellite/kit/db';

/** Rows by status, and how many are new. */
export interface StatusCounts {
  readonly total: number;
  readonly active: number;
  readonly suspended: number;
  readonly new30Days: number;
}

export interface SignInDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly succeeded: number;
  readonly people: number;
  readonly refused: number;
}

export interface PlanRevenue {
  readonly planCode: string;
  readonly planName: string;
  readonly organizations: number;
  readonly paying: number;
  readonly pastDue: number;
  readonly trials: number;
  readonly billedMonthly: number;
  readonly billedYearly: number;
  readonly monthlyRevenue: number;
}

const BY_STATUS = `count(*)::int as total, count(*) filter (where status = 'active')::int as active, count(*) filter (where status = 'suspended')::int as suspended,
  count(*) filter (where created_at >= now() - interval '720 hours')::int as "new30Days"`;

/** Paid for at the processor and not failed; what ends with its period is paid for until then. */
const PAID = `s.processor is not null and s.status in ('active', 'canceled')`;
const REVENUE = `
with running as (
  select s.plan_id, count(*) filter (where ${PAID}) as paying, count(*) filter (where s.status = 'past_due') as past_due, count(*) filter (where s.status = 'trial') as trials,
         count(*) filter (where ${PAID} and s.billing_interval = 'monthly') as monthly, count(*) filter (where ${PAID} and s.billing_interval = 'yearly') as yearly
  from subscriptions s where s.status <> 'expired' and (s.lapses_at is null or s.lapses_at > now()) SCOPE group by s.plan_id
), holders as (
  select s.plan_id, count(*) as organizations from organization_plans s where true SCOPE group by s.plan_id
), billed as (
  select p.code, p.name, coalesce(h.organizations, 0) as organizations, coalesce(r.paying, 0) as paying, coalesce(r.past_due, 0) as past_due, coalesce(r.trials, 0) as trials,
         coalesce(r.monthly, 0) * p.monthly_price as monthly, coalesce(r.yearly, 0) * p.yearly_price as yearly
  from plans p left join running r on r.plan_id = p.id left join holders h on h.plan_id = p.id where r.plan_id is not null or h.plan_id is not null
)
select code as "planCode", name as "planName", organizations::int, paying::int, past_due::int as "pastDue", trials::int, monthly::float8 as "billedMonthly", yearly::float8 as "billedYearly", round(monthly + yearly / 12, 2)::float8 as "monthlyRevenue"
from billed order by "monthlyRevenue" desc, "planCode"`;

/** Figures over whole tables: one statement each, however many rows there are. `undefined` = the whole platform. */
export class StatisticsRepository {
  constructor(private readonly db: Database) {}

  async users(organizationId: string | undefined): Promise<StatusCounts> {
    return this.one<StatusCounts>(`select ${BY_STATUS} from users ${organizationId === undefined ? '' : 'where organization_id = ?'}`, organizationId);
  }

  async organizations(organizationId: string | undefined): Promise<StatusCounts> {
    return this.one<StatusCounts>(`select ${BY_STATUS} from organizations ${organizationId === undefined ? '' : 'where id = ?'}`, organizationId);
  }

  /** Sign-ins since the beginning of a day in UTC, by day; days without any are left out. */
  signIns(organizationId: string | undefined, since: Date): Promise<SignInDay[]> {
    return this.db.query<SignInDay>(
      `select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as date, coalesce(sum(occurrences) filter (where outcome = 'success'), 0)::int as succeeded,
              count(distinct actor_id) filter (where outcome = 'success')::int as people, coalesce(sum(occurrences) filter (where outcome = 'refused'), 0)::int as refused
       from audit_entries where action in ('auth.sign_in', 'auth.provider_sign_in') and at >= ? ${organizationId === undefined ? '' : 'and organization_id = ?'} group by 1`,
      organizationId === undefined ? [since] : [since, organizationId],
    );
  }

  revenue(organizationId: string | undefined): Promise<PlanRevenue[]> {
    const scoped = REVENUE.replaceAll('SCOPE', organizationId === undefined ? '' : 'and s.organization_id = ?');
    return this.db.query<PlanRevenue>(scoped, organizationId === undefined ? [] : [organizationId, organizationId]);
  }

  private async one<Row extends object>(sql: string, organizationId: string | undefined): Promise<Row> {
    const [row] = await this.db.query<Row>(sql, organizationId === undefined ? [] : [organizationId]);
    if (row === undefined) throw new Error('an aggregate has one row');
    return row;
  }
}
