import type { Database } from '@satellite/kit/db';

/** What a token says of a person, and whether they may have one. */
export interface PersonRecord {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organizationId: string;
  /** The person and the organization are active. */
  readonly active: boolean;
  readonly roles: string[];
}

export interface SignInRecord extends PersonRecord {
  /** null for people who only sign in through a provider. */
  readonly passwordHash: string | null;
}

/** What a request needs to know of the person who sends it. */
export interface Grants {
  readonly roles: string[];
  readonly permissions: string[];
}


const PERSON = `
select u.id, u.email, u.username, u.first_name as "firstName", u.last_name as "lastName", u.organization_id as "organizationId",
       u.password_hash as "passwordHash", (u.status = 'active' and o.status = 'active') as active,
       coalesce((select array_agg(r.name order by r.name) from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id), '{}') as roles
from users u join organizations o on o.id = u.organization_id`;

/** Sign-in, sessions and grants: hot paths, in SQL. */
export class AuthRepository {
  constructor(private readonly db: Database) {}

  async findForSignIn(usernameOrEmail: string): Promise<SignInRecord | undefined> {
    const [row] = await this.db.query<SignInRecord>(
      `${PERSON}
       where lower(u.email) = lower(?) or lower(u.username) = lower(?)
       order by (lower(u.email) = lower(?)) desc limit 1`,
      [usernameOrEmail, usernameOrEmail, usernameOrEmail],
    );
    return row;
  }

  async findPerson(userId: string): Promise<SignInRecord | undefined> {
    const [row] = await this.db.query<SignInRecord>(`${PERSON} where u.id = ?`, [userId]);
    return row;
  }

  /** Roles and permissions of a person now; undefined when the person, the organization or the session is not active. */
  async grantsOf(userId: string, organizationId: string, sessionId: string): Promise<Grants | undefined> {
    const [row] = await this.db.query<Grants>(
      `select coalesce(array_agg(distinct r.name) filter (where r.name is not null), '{}') as roles,
              coalesce(array_agg(distinct rp.permission) filter (where rp.permission is not null), '{}') as permissions
       from users u
       join organizations o on o.id = u.organization_id and o.status = 'active'
       join sessions s on s.id = ? and s.user_id = u.id and s.ended_at is null and s.expires_at > now()
       left join user_roles ur on ur.user_id = u.id
       left join roles r on r.id = ur.role_id
       left join role_permissions rp on rp.role_id = r.id
       where u.id = ? and u.organization_id = ? and u.status = 'active'
       group by u.id`,
      [sessionId, userId, organizationId],
    );
    return row;
  }

  /** Replaces a password only if it is still the one that was verified; false when somebody was faster. */
  async replacePasswordHash(userId: string, verified: string, hash: string): Promise<boolean> {
    return (await this.db.query('update users set password_hash = ?, updated_at = now() where id = ? and password_hash = ? returning id', [hash, userId, verified])).length > 0;
  }

  /** Holds the verified password in place until the transaction ends; false when it was changed meanwhile, or the person suspended. */
  async holdsPassword(userId: string, verified: string): Promise<boolean> {
    return (await this.db.query(`select id from users where id = ? and password_hash = ? and status = 'active' for share`, [userId, verified])).length > 0;
  }

  async setPasswordHash(userId: string, hash: string): Promise<void> {
    await this.db.query('update users set password_hash = ?, updated_at = now() where id = ?', [hash, userId]);
  }
}
