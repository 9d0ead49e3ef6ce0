import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import { digest } from './digest.js';

export interface NewSession {
  readonly userId: string;
  readonly organizationId: string;
  readonly userAgent: string;
  readonly address: string;
  /** Identity provider that vouched for the person; null after a local login. */
  readonly providerId: string | null;
  readonly lifetimeSeconds: number;
}

/** A refresh token with all that decides whether it is still good. */
export interface RefreshRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly userAgent: string;
  /** The session, the person and the organization are active, and neither has run out. */
  readonly alive: boolean;
  /** Milliseconds since it was replaced; null while it is the newest. */
  readonly replacedMsAgo: number | null;
  readonly successorSealed: string | null;
  /** Its successor was used in turn. */
  readonly successorUsed: boolean;
}

export interface SessionRow {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly providerId: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
}

export type SessionEnd = 'logout' | 'ended' | 'reuse' | 'password' | 'suspended' | 'deleted';

export class SessionsRepository {
  constructor(private readonly db: Database) {}

  async start(session: NewSession): Promise<string> {
    const id = randomUUID();
    await this.db.query(
      `insert into sessions (id, user_id, organization_id, user_agent, address, provider_id, created_at, last_used_at, expires_at)
       values (?, ?, ?, ?, ?, ?, now(), now(), now() + make_interval(secs => ?))`,
      [id, session.userId, session.organizationId, session.userAgent, session.address, session.providerId, session.lifetimeSeconds],
    );
    return id;
  }

  async addRefreshToken(sessionId: string, token: string): Promise<void> {
    await this.db.query(`insert into refresh_tokens (id, session_id, token_hash, created_at, expires_at) select ?::uuid, id, ?, now(), expires_at from sessions where id = ?`, [randomUUID(), digest(token), sessionId]);
  }

  /** Locks the token's session, so that parallel refreshes of one family take turns. */
  async lockByToken(token: string): Promise<RefreshRecord | undefined> {
    const [locked] = await this.db.query<{ id: string }>('select s.id from sessions s join refresh_tokens t on t.session_id = s.id where t.token_hash = ? for update of s', [digest(token)]);
    if (locked === undefined) return undefined;
    const [row] = await this.db.query<Omit<RefreshRecord, 'replacedMsAgo'> & { replacedMsAgo: string | null }>(
      `select t.id, s.id as "sessionId", s.user_id as "userId", s.organization_id as "organizationId", s.user_agent as "userAgent",
              (s.ended_at is null and s.expires_at > now() and t.expires_at > now() and u.status = 'active' and o.status = 'active') as alive,
              extract(epoch from clock_timestamp() - t.replaced_at) * 1000 as "replacedMsAgo", t.successor_sealed as "successorSealed",
              exists (select from refresh_tokens n where n.session_id = s.id and n.created_at > t.created_at and n.replaced_at is not null) as "successorUsed"
       from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id join organizations o on o.id = s.organization_id
       where t.token_hash = ?`,
      [digest(token)],
    );
    return row && { ...row, replacedMsAgo: row.replacedMsAgo === null ? null : Number(row.replacedMsAgo) };
  }

  async replace(record: RefreshRecord, successor: string, successorSealed: string): Promise<void> {
    await this.db.query('update refresh_tokens set replaced_at = clock_timestamp(), successor_sealed = ? where id = ?', [successorSealed, record.id]);
    await this.db.query(`insert into refresh_tokens (id, session_id, token_hash, created_at, expires_at) select ?::uuid, id, ?, clock_timestamp(), expires_at from sessions where id = ?`, [randomUUID(), digest(successor), record.sessionId]);
    await this.db.query('update sessions set last_used_at = now() where id = ?', [record.sessionId]);
  }

  /** Sessions that a person could still use, the latest first. */
  active(userId: string): Promise<SessionRow[]> {
    return this.db.query<SessionRow>(
      `select id, user_agent as "userAgent", address, provider_id as "providerId", created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
       from sessions where user_id = ? and ended_at is null and expires_at > now() order by last_used_at desc, id`,
      [userId],
    );
  }

  /** Ends one session of a person; false when there is no such active session. */
  async end(sessionId: string, userId: string, reason: SessionEnd): Promise<boolean> {
    const ended = await this.db.query('update sessions set ended_at = now(), end_reason = ? where id = ? and user_id = ? and ended_at is null returning id', [reason, sessionId, userId]);
    return ended.length > 0;
  }

  /** Ends all sessions of a person; answers their ids. */
  async endAll(userId: string, reason: SessionEnd): Promise<string[]> {
    const ended = await this.db.query<{ id: string }>('update sessions set ended_at = now(), end_reason = ? where user_id = ? and ended_at is null returning id', [reason, userId]);
    return ended.map(({ id }) => id);
  }
}
