import type { Database } from '@satellite/kit/db';

/** An administrator's switch for one app in one organization. */
export interface AppSwitch {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationName: string;
  /** null = no switch: the app's own selection decides. */
  readonly enabled: boolean | null;
}

/** Which organizations have switched which apps on or off. */
export class AppOrganizationsRepository {
  constructor(private readonly db: Database) {}

  /** Every organization with its switch for the app, by name. */
  switchesOf(appId: string): Promise<AppSwitch[]> {
    return this.db.query<AppSwitch>(
      `select o.id as "organizationId", o.slug as "organizationSlug", o.name as "organizationName", s.enabled
       from organizations o left join app_organizations s on s.organization_id = o.id and s.app_id = ? order by lower(o.name), o.id`,
      [appId],
    );
  }

  async findSwitch(appId: string, organizationId: string): Promise<AppSwitch | undefined> {
    const [row] = await this.db.query<AppSwitch>(
      `select o.id as "organizationId", o.slug as "organizationSlug", o.name as "organizationName", s.enabled
       from organizations o left join app_organizations s on s.organization_id = o.id and s.app_id = ? where o.id = ?`,
      [appId, organizationId],
    );
    return row;
  }

  /** The organization's slug and its switches by app id, for the launchpad. */
  async ofOrganization(organizationId: string): Promise<{ slug: string; switches: ReadonlyMap<string, boolean> } | undefined> {
    const rows = await this.db.query<{ slug: string; appId: string | null; enabled: boolean | null }>(
      `select o.slug, s.app_id as "appId", s.enabled from organizations o left join app_organizations s on s.organization_id = o.id where o.id = ? and o.status = 'active'`,
      [organizationId],
    );
    const [first] = rows;
    if (first === undefined) return undefined;
    return { slug: first.slug, switches: new Map(rows.flatMap(({ appId, enabled }) => (appId === null || enabled === null ? [] : [[appId, enabled] as const]))) };
  }

  async setSwitch(appId: string, organizationId: string, enabled: boolean): Promise<void> {
    await this.db.query(
      `insert into app_organizations (app_id, organization_id, enabled, updated_at) values (?, ?, ?, now())
       on conflict (app_id, organization_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`,
      [appId, organizationId, enabled],
    );
  }
}
