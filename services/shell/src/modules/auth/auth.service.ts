import { timingSafeEqual } from 'node:crypto';
import type { ServiceActor, UserActor } from './actor.js';
import { InvalidClient, InvalidCredentials, InvalidToken } from './auth.errors.js';
import type { AuthRepository, SignInRecord } from './auth.repository.js';
import { digest } from './digest.js';
import { subjectOf } from './exchange.service.js';
import type { PasswordHasher } from './password-hasher.js';
import type { ServiceClientsRepository } from './service-clients.repository.js';
import type { ClientInfo, SessionsService, Tokens } from './sessions.service.js';
import type { SignInGuard } from './sign-in-guard.js';
import type { IssuedToken, TokenService } from './token.service.js';

export interface SignedIn extends Tokens {
  readonly user: Pick<SignInRecord, 'id' | 'email' | 'username' | 'organizationId'>;
}

export interface AuthServiceDeps {
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
    const { repository, hasher, guard, sessions } = this.deps;
    await guard.attempt(usernameOrEmail);
    const record = usernameOrEmail.includes('\0') ? undefined : await repository.findForSignIn(usernameOrEmail);
    const right = await hasher.verify(password, record?.passwordHash);
    if (!record || !right || !record.active) throw new InvalidCredentials();
    await guard.succeeded(usernameOrEmail);
    if (record.passwordHash !== null && hasher.isOutdated(record.passwordHash)) await repository.setPasswordHash(record.id, await hasher.hash(password));
    const { id, email, username, organizationId } = record;
    return { ...(await sessions.start(record, client, null)), user: { id, email, username, organizationId } };
  }

  /** Client credentials; throws InvalidClient for an unknown client and a wrong secret alike. */
  async serviceToken(clientId: string, clientSecret: string): Promise<IssuedToken> {
    const client = clientId.includes('\0') ? undefined : await this.deps.clients.findActive(clientId);
    const given = digest(clientSecret);
    const hashes = [client?.secretHash, client?.previousSecretHash].filter((hash) => typeof hash === 'string');
    if (client === undefined || !hashes.some((hash) => sameDigest(hash, given))) throw new InvalidClient();
    return this.deps.tokens.issueForService(client.clientId);
  }

  /** The person behind a bearer token, with what they may do at this moment; throws InvalidToken. */
  async userOf(token: string): Promise<UserActor> {
    const subject = subjectOf(await this.deps.tokens.verifyUser(token));
    const grants = await this.deps.repository.grantsOf(subject.userId, subject.organizationId, subject.sessionId);
    if (!grants) throw new InvalidToken();
    return { kind: 'user', ...subject, roles: grants.roles, permissions: new Set(grants.permissions) };
  }

  /** The service behind a gateway token, with what it may do at this moment; throws InvalidToken. */
  async serviceOf(token: string): Promise<ServiceActor> {
    const claims = await this.deps.tokens.verifyForGateway(token);
    const clientId = claims['client_id'];
    const client = typeof clientId === 'string' ? await this.deps.clients.findActive(clientId) : undefined;
    if (!client) throw new InvalidToken();
    return { kind: 'service', clientId: client.clientId, permissions: new Set(client.permissions) };
  }
}

function sameDigest(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
