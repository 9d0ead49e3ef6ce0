import { z } from 'zod';
import { envHttpUrl } from '../config/index.js';
import type { Logger } from '../telemetry/index.js';
import { AppNotEnabled, ShellUnavailable, TokenRefused } from './errors.js';
import { createPermissionClient, type PermissionClient } from './permission-client.js';
import { createRevocationFeed } from './revocation-feed.js';
import { createServiceTokenClient, type ServiceTokenClient } from './service-token-client.js';
import { createServiceTokenVerifier, type ServiceClaims } from './service-token-verifier.js';
import { exchangeAtShell, type ExchangedToken } from './shell-exchange.js';
import { createTokenVerifier, type ActorClaims } from './token-verifier.js';

/** Variables that say where the Shell is and who we are to it; a satellite spreads them into its own schema. */
export function shellVariables(defaults: { readonly slug: string }) {
  return {
    APP_ENV_SHELL_URL: envHttpUrl,
    APP_ENV_JWT_ISSUER: z.string().min(1),
    APP_ENV_JWT_AUDIENCE: z.string().min(1),
    APP_ENV_APP_SLUG: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be the slug under which the app is registered').default(defaults.slug),
    APP_ENV_CLIENT_ID: z.string().min(1),
    APP_ENV_CLIENT_SECRET: z.string().min(24, 'must be the secret of a client of the app'),
    APP_ENV_SHELL_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5000),
  };
}

export interface ShellConnectionOptions {
  /** Root of the Shell as this process reaches it, without `/api`. */
  readonly url: string;
  /** `iss` of the Shell's tokens. */
  readonly issuer: string;
  /** `aud` of the tokens that people get when they sign in. */
  readonly audience: string;
  /** Our own: `aud` of the tokens that we take. */
  readonly slug: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Milliseconds after which a question counts as unanswered. */
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  readonly fetch?: typeof fetch;
}

/** What a satellite gives for a token of the Shell. */
export interface Admission {
  readonly claims: ActorClaims;
  readonly token: ExchangedToken;
}

/** Everything a satellite asks of the Shell about people and services. */
export interface ShellConnection {
  readonly permissions: PermissionClient;
  readonly tokens: ServiceTokenClient;
  /** Follows the Shell's list of ended tokens. */
  start(): Promise<void>;
  stop(): void;
  /** The person of a token for this app that is live at this moment. Throws TokenRefused or ShellUnavailable. */
  personOf(token: string): Promise<ActorClaims>;
  /** The service of a token for services. Throws TokenRefused or ShellUnavailable. */
  serviceOf(token: string): Promise<ServiceClaims>;
  /** A token for this app in place of the one from the sign-in; who comes with a token for this app keeps it. Throws TokenRefused, AppNotEnabled or ShellUnavailable. */
  admit(token: string): Promise<Admission>;
  /**
   * Lets people go on who, their organization and the app in it, are active at this moment; it is no older than the
   * permission client's answers. Throws TokenRefused, AppNotEnabled or ShellUnavailable.
   */
  assertStanding(person: { readonly userId: string; readonly organizationId: string }): Promise<void>;
}

/** Answers of the gateway about who the person is, not about what they may do. */
const NOBODY = new Set(['unknown_subject', 'subject_inactive', 'organization_inactive', 'other_organization']);

/** One connection a process. */
export function connectShell({ url, issuer, audience, slug, clientId, clientSecret, timeoutMs, logger, fetch: fetchNow }: ShellConnectionOptions): ShellConnection {
  const how = { ...(fetchNow && { fetch: fetchNow }), ...(logger && { logger }) };
  const patience = timeoutMs === undefined ? {} : { timeoutMs };
  const keys = { issuer, jwksUrl: `${url}/api/.well-known/jwks.json`, ...how };
  const own = createTokenVerifier({ ...keys, audience: slug });
  const platform = createTokenVerifier({ ...keys, audience });
  const services = createServiceTokenVerifier(keys);
  const tokens = createServiceTokenClient({ tokenUrl: `${url}/api/auth/service-token`, clientId, clientSecret, ...how });
  const revocations = createRevocationFeed({ url: `${url}/api/auth/revocations`, tokens, ...how });
  const permissions = createPermissionClient({ shellUrl: url, tokens, ...patience, ...how });
  const live = async (claims: Promise<ActorClaims>): Promise<ActorClaims> => {
    revocations.assertLive(await claims);
    return claims;
  };
  const personOf = (token: string): Promise<ActorClaims> => live(own.verify(token));
  return {
    permissions,
    tokens,
    start: () => revocations.start(),
    stop: () => revocations.stop(),
    personOf,
    serviceOf: (token) => services.verify(token),
    async admit(token) {
      const claims = await unlessRefused(personOf(token));
      if (claims !== undefined) return { claims, token: { accessToken: token, expiresIn: Math.max(0, Math.floor(claims.exp - Date.now() / 1000)) } };
      await live(platform.verify(token)); // a stranger's token never makes us ask the Shell
      const exchanged = await exchangeAtShell({ shellUrl: url, ...patience, ...how }, token, slug);
      return { claims: await personOf(exchanged.accessToken), token: exchanged };
    },
    assertStanding: (person) => assertStanding(permissions, slug, person),
  };
}

async function assertStanding(permissions: PermissionClient, slug: string, { userId, organizationId }: { readonly userId: string; readonly organizationId: string }): Promise<void> {
  // which permission is asked for does not matter: all that counts is who the answer says they are
  const { reason } = await permissions.check({ sub: userId, organizationId, obj: slug, act: 'open' });
  if (NOBODY.has(reason)) throw new TokenRefused();
  if (reason === 'app_not_enabled') throw new AppNotEnabled();
  if (reason !== 'granted' && reason !== 'not_granted') throw new ShellUnavailable();
}

async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TokenRefused) return undefined;
    throw error;
  }
}
