import type { Database } from '@satellite/kit/db';
import type { PolicyChanges } from './policy-changes.js';

/**
 * What apps declare belongs to the administrators at once: ADMIN is everything inside an organization, its apps
 * included. It is stored like any other grant, so that nobody who reads grants has to know of this rule. Codes stay
 * when an app goes, since it may come back; without the app they open nothing.
 */
export class AppGrants {
  constructor(
    private readonly db: Database,
    private readonly changes: PolicyChanges,
  ) {}

  /** Joins the transaction that declares the codes. */
  async give(codes: readonly string[]): Promise<void> {
    if (codes.length === 0) return;
    const added = await this.db.query(
      `insert into role_permissions (role_id, permission) select r.id, c.code from roles r cross join unnest(?::text[]) as c (code)
       where r.organization_id is null and r.name in ('ADMIN', 'SUPER_ADMIN') on conflict do nothing returning permission`,
      [[...codes]],
    );
    if (added.length > 0) await this.changes.announceAll();
  }
}
