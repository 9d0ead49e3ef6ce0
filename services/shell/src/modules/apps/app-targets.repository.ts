import type { Database } from '@satellite/kit/db';
import { planIncludes } from './plan-includes.js';

/** An app as somebody who wants a token for it needs to know it. */
export interface AppTarget {
  readonly slug: string;
  readonly active: boolean;
  /** For the organization that was asked about, and part of its plan. */
  readonly enabled: boolean;
  /** Codes that the app declares. */
  readonly permissions: string[];
}

export class AppTargetsRepository {
  constructor(private readonly db: Database) {}

  /** By slug or id, seen from an organization; undefined when there is no such app. Maintenance and degradation do not end access. */
  async find(slugOrId: string, organizationId: string): Promise<AppTarget | undefined> {
    const [row] = await this.db.query<AppTarget>(
      `select a.slug, a.status <> 'inactive' as active, ${planIncludes('a.id')} and coalesce(s.enabled, a.organizations_all or o.slug = any(a.organization_slugs)) as enabled,
              coalesce((select array_agg(p.code) from app_permissions p where p.app_id = a.id), '{}') as permissions
       from apps a join organizations o on o.id = ? join organization_plans op on op.organization_id = o.id join plans p on p.id = op.plan_id left join app_organizations s on s.app_id = a.id and s.organization_id = o.id
       where a.slug = ? or a.id::text = lower(?)`,
      [organizationId, slugOrId, slugOrId],
    );
    return row;
  }
}
