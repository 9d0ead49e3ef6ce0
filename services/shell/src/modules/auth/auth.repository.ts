import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';

/** What a sign-in needs to know of a person. */
export interface SignInRecord {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organizationId: string;
  readonly passwordHash: string | null;
  /** The person and the organization are active. */
  readonly active: boolean;
  readonly roles: string[];
}

/** What a request needs to know of the person who sends it. */
export interface Grants {
  readonly roles: string[];
  readonly permissions: string[];
}

export interface NewSession {
  readonly userId: string;
  readonly organizationId: string;
  readonly userAgent: string;
  readonly address: string;
  readonly refreshToken: string;
  /** Days. */
  readonly lifetime: number;
}

/** Tokens are long random strings, so a plain digest is enough to store them by. */
export function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Sign-in, sessions and grants: hot paths, in SQL. */
export class AuthRepository {
  constructor(private readonly db: Database) {}

  async findForSignIn(usernameOrEmail: string): Promise<SignInRecord | undefined> {
    const [row] = await this.db.query<SignInRecord>(
      `select u.id, u.email, u.username, u.first_name as "firstName", u.last_name as "lastName", u.organization_id as "organizationId",
              u.password_hash as "passwordHash", (u.status = 'active' and o.status = 'active') as active,
              coalesce((select array_agg(r.name order by r.name) from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id), '{}') as roles
       from users u join organizations o on o.id = u.organization_id
       where lower(u.email) = lower(?) or lower(u.username) = lower(?)
       order by (lower(u.email) = lower(?)) desc limit 1`,
      [usernameOrEmail, usernameOrEmail, usernameOrEmail],
    );
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

  /** Stores a session with its first refresh token; answers the session's id. */
  async startSession(session: NewSession): Promise<string> {
    const id = randomUUID();
    await this.db.query(
      `insert into sessions (id, user_id, organization_id, user_agent, address, created_at, expires_at)
       values (?, ?, ?, ?, ?, now(), now() + make_interval(days => ?))`,
      [id, session.userId, session.organizationId, session.userAgent, session.address, session.lifetime],
    );
    await this.db.query(
      `insert into refresh_tokens (id, session_id, token_hash, created_at, expires_at) values (?, ?, ?, now(), now() + make_interval(days => ?))`,
      [randomUUID(), id, digest(session.refreshToken), session.lifetime],
    );
    return id;
  }

  async setPasswordHash(userId: string, hash: string): Promise<void> {
    await this.db.query('update users set password_hash = ?, updated_at = now() where id = ?', [hash, userId]);
  }
}
