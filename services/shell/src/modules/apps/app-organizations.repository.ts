import type { Database } from '@satellite/kit/db';
import type { AppStatus } from './app.entity.js';
import { planIncludes } from './plan-includes.js';

/** An administrator's switch for one app in one organization. */
export interface AppSwitch {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationName: string;
  /** null = no switch: the app's own selection decides. */
  readonly enabled: boolean | null;
  /** The organization's plan includes the app. */
  readonly planned: boolean;
}

const SWITCHES = `
select o.id as "organizationId", o.slug as "organizationSlug", o.name as "organizationName", s.enabled, ${planIncludes('a.id')} as planned
from organizations o join apps a on a.id = ? join organization_plans op on op.organization_id = o.id join plans p on p.id = op.plan_id
left join app_organizations s on s.organization_id = o.id and s.app_id = a.id`;

/** An organization as the launchpad has to know it. */
export interface LaunchpadOrganization {
  readonly id: string;
  readonly slug: string;
  /** By app id. */
  readonly switches: ReadonlyMap<string, boolean>;
  /** Apps that its plan includes; undefined = all. */
  readonly planned: ReadonlySet<string> | undefined;
}

/** An app with all that decides whether an organization can use it. */
export interface SeenApp {
  readonly slug: string;
  /** As people see it: degraded also by the operator's report. */
  readonly status: AppStatus;
  readonly organizationsAll: boolean;
  readonly organizationSlugs: string[];
  readonly organizationPercent: number;
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly enabled: boolean | null;
  readonly planned: boolean;
}

/** Which organizations have switched which apps on or off. */
export class AppOrganizationsRepository {
  constructor(private readonly db: Database) {}

  /** Every organization with its switch for the app, by name. */
  switchesOf(appId: string): Promise<AppSwitch[]> {
    return this.db.query<AppSwitch>(`${SWITCHES} order by lower(o.name), o.id`, [appId]);
  }

  async findSwitch(appId: string, organizationId: string): Promise<AppSwitch | undefined> {
    const [row] = await this.db.query<AppSwitch>(`${SWITCHES} where o.id = ?`, [appId, organizationId]);
    return row;
  }

  /** The organization's slug, its switches and what its plan includes, for the launchpad. */
  async ofOrganization(organizationId: string): Promise<LaunchpadOrganization | undefined> {
    const rows = await this.db.query<{ slug: string; serviceIds: string[]; appId: string | null; enabled: boolean | null }>(
      `select o.slug, p.service_ids as "serviceIds", s.app_id as "appId", s.enabled
       from organizations o join organization_plans op on op.organization_id = o.id join plans p on p.id = op.plan_id left join app_organizations s on s.organization_id = o.id
       where o.id = ? and o.status = 'active'`,
      [organizationId],
    );
    const [first] = rows;
    if (first === undefined) return undefined;
    return { id: organizationId, slug: first.slug, planned: first.serviceIds.length === 0 ? undefined : new Set(first.serviceIds), switches: new Map(rows.flatMap(({ appId, enabled }) => (appId === null || enabled === null ? [] : [[appId, enabled] as const]))) };
  }

  /** Every app, as the organization sees it; without one, as somebody without a switch and with every plan would. */
  appsSeenFrom(organizationId: string | undefined): Promise<SeenApp[]> {
    const apps = `a.slug, case when a.status = 'active' and exists (select from app_reports r where r.app_id = a.id and r.degraded) then 'degraded' else a.status end as status,
      a.organizations_all as "organizationsAll", a.organization_slugs as "organizationSlugs", a.organization_percent as "organizationPercent"`;
    if (organizationId === undefined) return this.db.query<SeenApp>(`select ${apps}, '' as "organizationId", '' as "organizationSlug", null as enabled, true as planned from apps a`);
    return this.db.query<SeenApp>(
      `select ${apps}, o.id as "organizationId", o.slug as "organizationSlug", s.enabled, ${planIncludes('a.id')} as planned
       from organizations o join organization_plans op on op.organization_id = o.id join plans p on p.id = op.plan_id cross join apps a left join app_organizations s on s.organization_id = o.id and s.app_id = a.id where o.id = ?`,
      [organizationId],
    );
  }

  async setSwitch(appId: string, organizationId: string, enabled: boolean): Promise<void> {
    await this.db.query(
      `insert into app_organizations (app_id, organization_id, enabled, updated_at) values (?, ?, ?, now())
       on conflict (app_id, organization_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`,
      [appId, organizationId, enabled],
    );
  }
}
