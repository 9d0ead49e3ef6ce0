import type { Database } from '@satellite/kit/db';
import { isEnabledFor, type EnablementFacts, type Selection } from './enablement.service.js';
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
    const [row] = await this.db.query<Selection & EnablementFacts & Pick<AppTarget, 'active' | 'permissions'>>(
      `select a.slug, a.status <> 'inactive' as active, a.organizations_all as "organizationsAll", a.organization_slugs as "organizationSlugs", a.organization_percent as "organizationPercent",
              o.id as "organizationId", o.slug as "organizationSlug", s.enabled, ${planIncludes('a.id')} as planned,
              coalesce((select array_agg(p.code) from app_permissions p where p.app_id = a.id), '{}') as permissions
       from apps a join organizations o on o.id = ? join organization_plans op on op.organization_id = o.id join plans p on p.id = op.plan_id left join app_organizations s on s.app_id = a.id and s.organization_id = o.id
       where a.slug = ? or a.id::text = lower(?)`,
      [organizationId, slugOrId, slugOrId],
    );
    return row && { slug: row.slug, active: row.active, enabled: isEnabledFor(row, row), permissions: row.permissions };
  }
}
