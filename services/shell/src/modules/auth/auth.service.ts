import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import type { ServiceActor, UserActor } from './actor.js';
import { InvalidClient, InvalidCredentials, InvalidToken } from './auth.errors.js';
import { digest, type AuthRepository, type SignInRecord } from './auth.repository.js';
import type { PasswordHasher } from './password-hasher.js';
import type { ServiceClientsRepository } from './service-clients.repository.js';
import type { IssuedToken, TokenService } from './token.service.js';

/** Where a sign-in comes from; shown to the person in the list of sessions. */
export interface ClientInfo {
  readonly userAgent: string;
  readonly address: string;
}

export interface SignedIn extends IssuedToken {
  readonly refreshToken: string;
  readonly user: Pick<SignInRecord, 'id' | 'email' | 'username' | 'organizationId'>;
}

const SESSION_DAYS = 30;
const REFRESH_TOKEN_BYTES = 32;

export interface AuthServiceDeps {
  readonly db: Database;
  readonly repository: AuthRepository;
  readonly clients: ServiceClientsRepository;
  readonly hasher: PasswordHasher;
  readonly tokens: TokenService;
}

/** Who somebody is. */
export class AuthService {
  constructor(private readonly deps: AuthServiceDeps) {}

  /** Checks user name (or e-mail) and password; throws InvalidCredentials for every cause alike. */
  async localLogin(usernameOrEmail: string, password: string, client: ClientInfo): Promise<SignedIn> {
    const { db, repository, hasher } = this.deps;
    const record = usernameOrEmail.includes('\0') ? undefined : await repository.findForSignIn(usernameOrEmail);
    const right = await hasher.verify(password, record?.passwordHash);
    if (!record || !right || !record.active) throw new InvalidCredentials();
    const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
    const sessionId = await db.run(() => repository.startSession({ userId: record.id, organizationId: record.organizationId, userAgent: client.userAgent.slice(0, 300), address: client.address.slice(0, 64), refreshToken, lifetime: SESSION_DAYS }));
    const { id, email, username, organizationId, firstName, lastName, roles } = record;
    const issued = await this.deps.tokens.issueForUser({ sub: id, email, username, firstName, lastName, roles, organizationId, sid: sessionId });
    return { ...issued, refreshToken, user: { id, email, username, organizationId } };
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
    const claims = await this.deps.tokens.verifyUser(token);
    const { sub, sid, organizationId } = claims;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof organizationId !== 'string') throw new InvalidToken();
    const grants = await this.deps.repository.grantsOf(sub, organizationId, sid);
    if (!grants) throw new InvalidToken();
    return { kind: 'user', userId: sub, organizationId, sessionId: sid, roles: grants.roles, permissions: new Set(grants.permissions) };
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
