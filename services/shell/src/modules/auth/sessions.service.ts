import type { Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import type { UserActor } from '../../actor.js';
import { snapshot, type AuditAction, type AuditTrail } from '../audit/index.js';
import { InvalidGrant, SessionNotFound } from './auth.errors.js';
import type { AuthRepository, PersonRecord } from './auth.repository.js';
import { randomToken } from './digest.js';
import { openSuccessor, sealSuccessor } from './refresh-seal.js';
import type { Revocations } from './revocations.js';
import type { RefreshRecord, SessionEnd, SessionRow, SessionsRepository } from './sessions.repository.js';
import type { IssuedToken, TokenService } from './token.service.js';

/** Where a sign-in comes from; shown to the person in the list of sessions. */
export interface ClientInfo {
  readonly userAgent: string;
  readonly address: string;
}

export interface Tokens extends IssuedToken {
  readonly refreshToken: string;
}

const SESSION_SECONDS = 30 * 24 * 3600;
/** A client whose answer was lost on the way may repeat a refresh for this long. */
const REPLAY_MS = 10_000;

export interface SessionsServiceDeps {
  readonly db: Database;
  readonly people: AuthRepository;
  readonly sessions: SessionsRepository;
  readonly revocations: Revocations;
  readonly tokens: TokenService;
  readonly logger: Logger;
  readonly audit: AuditTrail;
}

/** Sessions: begun by a sign-in, kept alive by rotating refresh tokens, ended by people and by events. */
export class SessionsService {
  constructor(private readonly deps: SessionsServiceDeps) {}

  async start(person: PersonRecord, client: ClientInfo, providerId: string | null): Promise<Tokens> {
    const { db, sessions } = this.deps;
    const refreshToken = randomToken();
    const sessionId = await db.run(async () => {
      const id = await sessions.start({ userId: person.id, organizationId: person.organizationId, userAgent: client.userAgent.slice(0, 300), address: client.address.slice(0, 64), providerId, lifetimeSeconds: SESSION_SECONDS });
      await sessions.addRefreshToken(id, refreshToken);
      await this.recordBegun(providerId === null ? 'auth.sign_in' : 'auth.provider_sign_in', person, id, providerId);
      return id;
    });
    return { ...(await this.issue(person, sessionId)), refreshToken };
  }

  /** A session without a refresh token, for somebody whose provider's token is the one that is renewed. */
  async startBrief(person: PersonRecord, client: ClientInfo, providerId: string, lifetimeSeconds: number): Promise<IssuedToken> {
    const { db, sessions } = this.deps;
    const id = await db.run(async () => {
      const begun = await sessions.start({ userId: person.id, organizationId: person.organizationId, userAgent: client.userAgent.slice(0, 300), address: client.address.slice(0, 64), providerId, lifetimeSeconds });
      await this.recordBegun('auth.exchange_idp', person, begun, providerId);
      return begun;
    });
    const notAfter = Math.floor(Date.now() / 1000) + lifetimeSeconds;
    return this.issue(person, id, notAfter);
  }

  /** Rotates a refresh token; throws InvalidGrant for every cause alike. Using a replaced one ends the whole session. */
  async refresh(refreshToken: string, client: ClientInfo): Promise<Tokens> {
    const { db, sessions, people } = this.deps;
    const outcome = await db.run(async () => {
      const record = await sessions.lockByToken(refreshToken);
      if (!record?.alive) return undefined;
      const next = record.replacedMsAgo === null ? await this.rotate(record, refreshToken) : await this.replay(record, refreshToken, client);
      return next === undefined ? undefined : { record, next };
    });
    const person = outcome && (await people.findPerson(outcome.record.userId));
    if (!outcome || !person?.active) throw new InvalidGrant();
    return { ...(await this.issue(person, outcome.record.sessionId)), refreshToken: outcome.next };
  }

  private async rotate(record: RefreshRecord, token: string): Promise<string> {
    const successor = randomToken();
    await this.deps.sessions.replace(record, successor, sealSuccessor(token, successor));
    return successor;
  }

  /** The same answer again for a client that did not get it; for anybody else the token is stolen goods. */
  private async replay(record: RefreshRecord, token: string, client: ClientInfo): Promise<string | undefined> {
    const again = (record.replacedMsAgo ?? Infinity) <= REPLAY_MS && !record.successorUsed && record.userAgent === client.userAgent.slice(0, 300);
    if (again && record.successorSealed !== null) return openSuccessor(token, record.successorSealed);
    this.deps.logger.warn({ event: 'authn_token_reuse', userId: record.userId, sessionId: record.sessionId, address: client.address }, 'a replaced refresh token was used; its session ends');
    await this.endLocked(record.sessionId, record.userId, 'reuse');
    await this.recordEnded('auth.token_reuse', record.organizationId, record.sessionId, 'reuse');
    return undefined;
  }

  private async endLocked(sessionId: string, userId: string, reason: SessionEnd): Promise<boolean> {
    const ended = await this.deps.sessions.end(sessionId, userId, reason);
    if (ended) await this.deps.revocations.add('session', sessionId);
    return ended;
  }

  /** Ends a session of the person; throws SessionNotFound when it is not theirs or already over. */
  async end({ userId, organizationId }: UserActor, sessionId: string, reason: 'logout' | 'ended'): Promise<void> {
    await this.deps.db.run(async () => {
      if (!(await this.endLocked(sessionId, userId, reason))) throw new SessionNotFound();
      await this.recordEnded(reason === 'logout' ? 'auth.sign_out' : 'auth.end_session', organizationId, sessionId, reason);
    });
  }

  private recordBegun(action: AuditAction, { id, username, organizationId }: PersonRecord, sessionId: string, providerId: string | null): Promise<void> {
    return this.deps.audit.record({ action, organizationId, target: { type: 'session', id: sessionId }, after: snapshot('session', { method: providerId ?? 'password' }), actor: { kind: 'user', id, name: username } });
  }

  private recordEnded(action: AuditAction, organizationId: string, sessionId: string, endReason: SessionEnd): Promise<void> {
    return this.deps.audit.record({ action, organizationId, target: { type: 'session', id: sessionId }, after: snapshot('session', { endReason }) });
  }

  /** Ends everything a person has running; joins the transaction that gives the reason. */
  async endAll(userId: string, reason: SessionEnd): Promise<void> {
    await this.deps.db.run(async () => {
      for (const id of await this.deps.sessions.endAll(userId, reason)) await this.deps.revocations.add('session', id);
    });
  }

  list(userId: string): Promise<SessionRow[]> {
    return this.deps.sessions.active(userId);
  }

  private issue(person: PersonRecord, sid: string, notAfter?: number): Promise<IssuedToken> {
    const { id, email, username, firstName, lastName, roles, organizationId } = person;
    return this.deps.tokens.issueForUser({ sub: id, email, username, firstName, lastName, roles, organizationId, sid }, notAfter);
  }
}
