import type { Database } from '@satellite/kit/db';

/** Who holds which role. */
export class GrantsRepository {
  constructor(private readonly db: Database) {}

  /** Role ids by user id, the first granted first; every given id has an entry. */
  async roleIdsOf(userIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.db.query<{ userId: string; roleId: string }>('select user_id as "userId", role_id as "roleId" from user_roles where user_id = any(?::uuid[]) order by granted_at, role_id', [[...userIds]]);
    const ids = new Map(userIds.map((id) => [id, [] as string[]]));
    for (const { userId, roleId } of rows) ids.get(userId)?.push(roleId);
    return ids;
  }

  async add(userId: string, roleIds: readonly string[]): Promise<void> {
    await this.db.query('insert into user_roles (user_id, role_id, granted_at) select ?::uuid, id, now() from unnest(?::uuid[]) id on conflict do nothing', [userId, [...roleIds]]);
  }

  async addSystemRole(userId: string, name: string): Promise<void> {
    await this.db.query('insert into user_roles (user_id, role_id, granted_at) select ?::uuid, id, now() from roles where organization_id is null and name = ?', [userId, name]);
  }

  /** False when the person did not hold the role. */
  async remove(userId: string, roleId: string): Promise<boolean> {
    return (await this.db.query('delete from user_roles where user_id = ? and role_id = ? returning user_id', [userId, roleId])).length > 0;
  }

  /** Active people of an organization who hold this system role. */
  async activeHolders(organizationId: string, systemRole: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select u.id from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
       where u.organization_id = ? and u.status = 'active' and r.organization_id is null and r.name = ?`,
      [organizationId, systemRole],
    );
    return rows.map(({ id }) => id);
  }

  /** What a person holds: permission codes, and names of the system's roles. */
  async holdingsOf(userId: string): Promise<{ permissions: string[]; systemRoles: string[] }> {
    const [row] = await this.db.query<{ permissions: string[]; systemRoles: string[] }>(
      `select coalesce(array_agg(distinct rp.permission) filter (where rp.permission is not null), '{}') as permissions,
              coalesce(array_agg(distinct r.name) filter (where r.organization_id is null), '{}') as "systemRoles"
       from user_roles ur join roles r on r.id = ur.role_id left join role_permissions rp on rp.role_id = r.id where ur.user_id = ?`,
      [userId],
    );
    return row ?? { permissions: [], systemRoles: [] };
  }
}
