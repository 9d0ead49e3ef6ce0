import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import type { ServiceActor, UserActor } from '../../actor.js';
import { noteActor, noteSubject, personOf } from '../audit/index.js';
import { InvalidClient, InvalidCredentials, InvalidToken } from './auth.errors.js';
import type { AuthRepository, SignInRecord } from './auth.repository.js';
import { digest } from './digest.js';
import { subjectOf } from './exchange.service.js';
import type { PasswordHasher } from './password-hasher.js';
import type { ServiceClientsRepository } from './service-clients.repository.js';
import type { ClientInfo, SessionsService, Tokens } from './sessions.service.js';
import { signInOf, signInOfNobody, type SignInGuard } from './sign-in-guard.js';
import type { IssuedToken, TokenService } from './token.service.js';

export interface SignedIn extends Tokens {
  readonly user: Pick<SignInRecord, 'id' | 'email' | 'username' | 'organizationId'>;
}

export interface AuthServiceDeps {
  readonly db: Database;
  readonly repository: AuthRepository;
  readonly clients: ServiceClientsRepository;
  readonly hasher: PasswordHasher;
  readonly tokens: TokenService;
  readonly sessions: SessionsService;
  readonly guard: SignInGuard;
}

/** Who somebody is. */
export class AuthService {
  constructor(private readonly deps: AuthServiceDeps) {}

  /** Checks user name (or e-mail) and password; throws InvalidCredentials for every cause alike, SignInLocked after too many. */
  async localLogin(usernameOrEmail: string, password: string, client: ClientInfo): Promise<SignedIn> {
    const { repository, hasher, guard } = this.deps;
    const record = usernameOrEmail.includes('\0') ? undefined : await repository.findForSignIn(usernameOrEmail);
    if (record) noteSubject({ target: { type: 'user', id: record.id }, organizationId: record.organizationId });
    const subject = record ? signInOf(record.id) : signInOfNobody(usernameOrEmail);
    await guard.attempt(subject);
    const right = await hasher.verify(password, record?.passwordHash);
    if (!record || record.passwordHash === null || !right || !record.active) throw new InvalidCredentials();
    await guard.succeeded(subject);
    const verified = await this.rehashed(record.id, record.passwordHash, password);
    const { id, email, username, organizationId } = record;
    return { ...(await this.startWith(record, verified, client)), user: { id, email, username, organizationId } };
  }

  /** A hash of other rounds than configured is renewed while the password is at hand; answers the hash that stands. */
  private async rehashed(userId: string, verified: string, password: string): Promise<string> {
    const { repository, hasher } = this.deps;
    if (!hasher.isOutdated(verified)) return verified;
    const fresh = await hasher.hash(password);
    return (await repository.replacePasswordHash(userId, verified, fresh)) ? fresh : verified;
  }

  /** Checking takes long: a password that was changed meanwhile begins no session, since the change has ended them all. */
  private startWith(record: SignInRecord, verified: string, client: ClientInfo): Promise<Tokens> {
    const { db, repository, sessions } = this.deps;
    return db.run(async () => {
      if (!(await repository.holdsPassword(record.id, verified))) throw new InvalidCredentials();
      return sessions.start(record, client, null);
    });
  }

  /** Client credentials; throws InvalidClient for an unknown client and a wrong secret alike. */
  async serviceToken(clientId: string, clientSecret: string): Promise<IssuedToken> {
    const client = clientId.includes('\0') ? undefined : await this.deps.clients.findActive(clientId);
    if (client) noteSubject({ target: { type: 'service_client', id: client.clientId }, organizationId: null });
    const given = digest(clientSecret);
    const hashes = [client?.secretHash, client?.previousSecretHash].filter((hash) => typeof hash === 'string');
    if (client === undefined || !hashes.some((hash) => sameDigest(hash, given))) throw new InvalidClient();
    return this.deps.tokens.issueForService(client.clientId);
  }

  /** The person behind a bearer token, with what they may do at this moment; throws InvalidToken. */
  async userOf(token: string): Promise<UserActor> {
    const subject = subjectOf(await this.deps.tokens.verifyUser(token));
    noteActor(personOf(subject)); // also of somebody whose session has ended
    const grants = await this.deps.repository.grantsOf(subject.userId, subject.organizationId, subject.sessionId);
    if (!grants) throw new InvalidToken();
    return { kind: 'user', ...subject, roles: grants.roles, permissions: new Set(grants.permissions) };
  }

  /** The service behind a gateway token, with what it may do at this moment; throws InvalidToken. */
  async serviceOf(token: string): Promise<ServiceActor> {
    const claims = await this.deps.tokens.verifyForGateway(token);
    const clientId = claims['client_id'];
    if (typeof clientId === 'string') noteActor({ kind: 'service', id: clientId });
    const client = typeof clientId === 'string' ? await this.deps.clients.findActive(clientId) : undefined;
    if (!client) throw new InvalidToken();
    return { kind: 'service', clientId: client.clientId, permissions: new Set(client.permissions), installation: client.installation, reserved: client.reserved };
  }
}

function sameDigest(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
