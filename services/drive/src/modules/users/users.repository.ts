import { TenantRepository, type Database } from '@satellite/kit/db';
import type { RoleId } from '../../permissions.js';
import { DriveUser, type UserStatus } from './user.entity.js';

/** A person of the Shell, as their token describes them. */
export interface ShellPerson {
  readonly shellUserId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly name: string | null;
}

/** What a request needs to know of its sender. */
export interface Standing {
  readonly id: string;
  readonly email: string;
  readonly status: UserStatus;
  readonly roleIds: readonly string[];
}

/** Any constant that nobody else uses; people and roles of one organization change one after the other. */
const PEOPLE_LOCK = 7_317_001;

/** People of an organization, and their roles. */
export class UsersRepository extends TenantRepository<DriveUser> {
  constructor(db: Database) {
    super(db, DriveUser);
  }

  /** Until the running transaction ends. */
  async lockPeople(organizationId: string): Promise<void> {
    await this.db.query('select pg_advisory_xact_lock(?, hashtext(?))', [PEOPLE_LOCK, organizationId]);
  }

  async standingOf(organizationId: string, shellUserId: string): Promise<Standing | undefined> {
    const [row] = await this.db.query<Standing>(
      `select u.id, u.email, u.status, array(select role_id from user_roles r where r.user_id = u.id) as "roleIds" from users u where u.organization_id = ? and u.shell_user_id = ?`,
      [organizationId, shellUserId],
    );
    return row;
  }

  async findByEmail(organizationId: string, email: string): Promise<DriveUser | undefined> {
    const [row] = await this.db.query<{ id: string }>('select id from users where organization_id = ? and lower(email) = lower(?) limit 1', [organizationId, email]);
    return row && this.find(organizationId, row.id);
  }

  /** The person's row: the one they have, the invitation to their address, or a new one. Answers its id and whether it is new. */
  async claim({ shellUserId, organizationId, email, name }: ShellPerson): Promise<{ id: string; isNew: boolean }> {
    const [known] = await this.db.query<{ id: string; isCurrent: boolean }>('select id, email = ? and name is not distinct from coalesce(?, name) as "isCurrent" from users where organization_id = ? and shell_user_id = ?', [email, name, organizationId, shellUserId]);
    if (known) {
      if (!known.isCurrent) await this.db.query('update users set email = ?, name = coalesce(?, name), version = version + 1, updated_at = now() where id = ?', [email, name, known.id]);
      return { id: known.id, isNew: false };
    }
    const [invited] = await this.db.query<{ id: string }>(
      `update users set shell_user_id = ?, email = ?, name = coalesce(?, name), version = version + 1, updated_at = now() where organization_id = ? and shell_user_id is null and lower(email) = lower(?) returning id`,
      [shellUserId, email, name, organizationId, email],
    );
    if (invited) return { id: invited.id, isNew: false };
    await this.db.query(`insert into users (id, organization_id, shell_user_id, email, name, created_at, updated_at) values (?, ?, ?, ?, ?, now(), now())`, [shellUserId, organizationId, shellUserId, email, name]);
    return { id: shellUserId, isNew: true };
  }

  /** Role ids by user id. */
  async rolesOf(userIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.db.query<{ userId: string; roleId: string }>('select user_id as "userId", role_id as "roleId" from user_roles where user_id = any(?::uuid[]) order by role_id', [[...userIds]]);
    return new Map(userIds.map((id) => [id, rows.filter(({ userId }) => userId === id).map(({ roleId }) => roleId)]));
  }

  async grant(organizationId: string, userId: string, roleId: RoleId): Promise<void> {
    await this.db.query('insert into user_roles (organization_id, user_id, role_id, granted_at) values (?, ?, ?, now()) on conflict do nothing', [organizationId, userId, roleId]);
  }

  /** False when the person did not have it. */
  async withdraw(organizationId: string, userId: string, roleId: RoleId): Promise<boolean> {
    return (await this.db.query('delete from user_roles where organization_id = ? and user_id = ? and role_id = ? returning role_id', [organizationId, userId, roleId])).length > 0;
  }

  /** Somebody other than this person administers the Drive and has come. */
  async hasOtherAdmin(organizationId: string, userId: string): Promise<boolean> {
    const rows = await this.db.query(
      `select from user_roles r join users u on u.id = r.user_id where r.organization_id = ? and r.role_id = 'admin' and u.status = 'active' and u.shell_user_id is not null and u.id <> ? limit 1`,
      [organizationId, userId],
    );
    return rows.length > 0;
  }
}
