import type { FilterQuery } from '@mikro-orm/core';
import type { Database } from '@satellite/kit/db';
import type { Tenancy } from '../../tenancy.js';
import { TenantRepository } from '../../tenant.repository.js';
import { Role, SYSTEM_ROLES } from './role.entity.js';

/** Roles of an organization and those of the system that concern it. */
export class RolesRepository extends TenantRepository<Role> {
  constructor(
    db: Database,
    private readonly tenancy: Tenancy,
  ) {
    super(db, Role);
  }

  /** The platform's own role is nobody's business outside the platform's organization. */
  protected override async visibleTo(organizationId: string): Promise<FilterQuery<Role>> {
    const hidden = (await this.tenancy.isPlatform(organizationId)) ? {} : { name: { $ne: SYSTEM_ROLES.platform } };
    return { $or: [{ organizationId }, { organizationId: null, ...hidden }] };
  }

  /** Whether the system has a role of this name; its names mean something to every app, so no other role may bear them. */
  async isSystemName(name: string): Promise<boolean> {
    return (await this.db.query('select from roles where organization_id is null and lower(name) = lower(?)', [name])).length > 0;
  }

  /** Permission codes by role id; every given id has an entry. */
  async permissionsOf(roleIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.db.query<{ roleId: string; permission: string }>('select role_id as "roleId", permission from role_permissions where role_id = any(?::uuid[]) order by permission', [[...roleIds]]);
    const codes = new Map(roleIds.map((id) => [id, [] as string[]]));
    for (const { roleId, permission } of rows) codes.get(roleId)?.push(permission);
    return codes;
  }

  async replacePermissions(roleId: string, codes: readonly string[]): Promise<void> {
    await this.db.query('delete from role_permissions where role_id = ?', [roleId]);
    await this.db.query('insert into role_permissions (role_id, permission) select ?::uuid, * from unnest(?::text[])', [roleId, [...codes]]);
  }

  /** Removes the role and takes it from everybody who holds it. */
  async remove(role: Role): Promise<void> {
    await this.db.query('delete from roles where id = ?', [role.id]);
  }
}
