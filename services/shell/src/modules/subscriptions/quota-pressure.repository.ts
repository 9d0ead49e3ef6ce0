import type { Database } from '@satellite/kit/db';
import type { LimitPeriod } from '../plans/index.js';
import { PERIOD, WINDOW_START } from './quota.repository.js';

/** A limit of which an organization has used more than 80 %. */
export interface PressedLimit {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly limitKey: string;
  readonly limit: number;
  readonly used: number;
  readonly period: LimitPeriod;
}

/** Counts whole tables once instead of each organization by itself. */
const PRESSED = `
with people as (select organization_id, count(*) as used from users group by organization_id),
apps as (select organization_id, count(*) as used from app_organizations where enabled group by organization_id),
used as (
  select o.id, o.name, l.limit_key, l.limit_value, ${PERIOD} as period,
    case when l.limit_key = 'users' then coalesce(u.used, 0) when l.limit_key = 'apps' then coalesce(a.used, 0) when c.window_start >= ${WINDOW_START} then c.used else 0 end as used
  from organizations o join organization_plans op on op.organization_id = o.id join plan_limits l on l.plan_id = op.plan_id and l.limit_value <> -1
  left join people u on u.organization_id = o.id
  left join apps a on a.organization_id = o.id
  left join usage_counters c on c.organization_id = o.id and c.limit_key = l.limit_key
), pressed as (select * from used where used * 5 > limit_value * 4)
select id as "organizationId", name as "organizationName", limit_key as "limitKey", limit_value::float8 as "limit", used::float8 as used, period, (select count(*) from pressed)::int as total
from pressed order by used::numeric / nullif(limit_value, 0) desc nulls first, name, limit_key limit ?`;

/** Who will run into a limit soon, or has. */
export class QuotaPressureRepository {
  constructor(private readonly db: Database) {}

  /** Of the whole platform, the highest first. */
  async pressed(limit: number): Promise<{ total: number; limits: PressedLimit[] }> {
    const rows = await this.db.query<PressedLimit & { total: number }>(PRESSED, [limit]);
    return { total: rows[0]?.total ?? 0, limits: rows.map(({ total: _, ...pressed }) => pressed) };
  }

  async nameOf(organizationId: string): Promise<string> {
    const [row] = await this.db.query<{ name: string }>('select name from organizations where id = ?', [organizationId]);
    return row?.name ?? '';
  }
}
