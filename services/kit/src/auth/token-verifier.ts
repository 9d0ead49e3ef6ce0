import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwksCache, jwtVerify, type ExportedJWKSCache, type JWKSCacheInput, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { ShellUnavailable, TokenRefused } from './errors.js';
import { VerifiedTokens } from './verified-tokens.js';

/** Verified claims of a person's token, as section 2.1 of the interface has them and what an exchange adds. */
export interface ActorClaims extends JWTPayload {
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** The sign-in it comes from. */
  readonly sid: string;
  readonly organizationId: string;
  readonly roles: readonly string[];
  /** Of this service; only in tokens that were exchanged for it. */
  readonly permissions?: readonly string[];
  /** Who acts for the person, the latest outermost (RFC 8693). */
  readonly act?: { readonly sub: string };
}

export interface KeySetOptions {
  /** `iss` of the Shell's tokens: its APP_ENV_JWT_ISSUER. */
  readonly issuer: string;
  /** `<shell>/api/.well-known/jwks.json`. */
  readonly jwksUrl: string;
  /** How long a key set is used before it is fetched again, in milliseconds (default: the 5 minutes of the Shell's own Cache-Control). */
  readonly cacheMs?: number;
  /** Shortest time between two fetches that unknown keys cause, in milliseconds (default 30 s): strangers must not make us hammer the Shell. */
  readonly cooldownMs?: number;
  readonly fetch?: typeof fetch;
}

export interface TokenVerifierOptions extends KeySetOptions {
  /** `aud` that tokens must name: the app's own slug, or the platform's audience where the Shell's own token is taken. */
  readonly audience: string;
}

export interface TokenVerifier {
  /** Claims of a token for this service; throws TokenRefused, or ShellUnavailable when the keys cannot be had. */
  verify(token: string): Promise<ActorClaims>;
}

const ALGORITHM = 'RS256';
const TYPE = 'at+jwt';
const LEEWAY_SECONDS = 5;
const FETCH_TIMEOUT_MS = 5000;
/** How long known keys are used without the Shell. */
const STALE_KEYS_MS = 3_600_000;
/** Time between two tries to reach it then. */
const RETRY_MS = 5000;

/**
 * Verifies the Shell's tokens by its key set. Keys come from `jwksUrl` alone, whatever a token says about where to find
 * one; RS256 and the access token type only. A signature is checked once; later calls look the token up, and whether its
 * key still is in the key set.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  return createClaimsVerifier(options, personIn);
}

/** The same for other bearers: `bearerIn` reads who it is out of verified claims, or throws TokenRefused. */
export function createClaimsVerifier<Claims extends JWTPayload>(options: TokenVerifierOptions, bearerIn: (payload: JWTPayload) => Claims): { verify(token: string): Promise<Claims> } {
  const { issuer, audience, jwksUrl, cacheMs = 300_000, cooldownMs = 30_000 } = options;
  const fetched: JWKSCacheInput = {};
  const keys = keysOf(createRemoteJWKSet(new URL(jwksUrl), { cacheMaxAge: cacheMs, cooldownDuration: cooldownMs, timeoutDuration: FETCH_TIMEOUT_MS, [jwksCache]: fetched, ...(options.fetch && { [customFetch]: options.fetch }) }), fetched);
  const verified = new VerifiedTokens<{ claims: Claims; kid: string; exp: number | undefined }>();
  const check = { issuer, audience, algorithms: [ALGORITHM], typ: TYPE, clockTolerance: LEEWAY_SECONDS, requiredClaims: ['sub', 'jti', 'iat', 'exp'] };
  return {
    async verify(token) {
      const known = verified.get(token);
      if (known) {
        if (!(await keys.has(known.kid).catch(refused))) throw new TokenRefused();
        return known.claims;
      }
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, check).catch(refused);
      const claims = fromNow(bearerIn(payload));
      // without a name nobody could tell later whether its key left
      if (protectedHeader.kid !== undefined) verified.put(token, { claims, kid: protectedHeader.kid, exp: claims.exp });
      return claims;
    },
  };
}

interface KeySet {
  readonly find: JWTVerifyGetKey;
  /** Whether a key still is in the set, which is fetched anew when its time is over: look-ups alone must hear of it too. */
  has(kid: string): Promise<boolean>;
}

/**
 * While the Shell cannot be asked, the keys that are known go on for a while: a restart of it is nobody's outage.
 * `fetched` is where jose keeps the set: reading it there copies nothing.
 */
function keysOf(remote: ReturnType<typeof createRemoteJWKSet>, fetched: Partial<ExportedJWKSCache>): KeySet {
  let failedAt = -Infinity;
  let askedAt = -Infinity;
  const mayUseKnown = (): boolean => fetched.jwks !== undefined && Date.now() - askedAt < STALE_KEYS_MS;
  const isResting = (): boolean => mayUseKnown() && Date.now() - failedAt < RETRY_MS;
  const find: JWTVerifyGetKey = async (header, token) => {
    const known = mayUseKnown() ? fetched.jwks : undefined;
    if (known && isResting()) return createLocalJWKSet(known)(header, token);
    try {
      const key = await remote(header, token);
      askedAt = Date.now();
      return key;
    } catch (error) {
      if (isCallersFault(error)) throw error;
      failedAt = Date.now();
      if (!known) throw error;
      return createLocalJWKSet(known)(header, token);
    }
  };
  return {
    find,
    async has(kid) {
      if (!remote.fresh && !isResting()) await find({ alg: ALGORITHM, kid }, { payload: '', signature: '' });
      return fetched.jwks?.keys.some((key) => key.kid === kid) ?? false;
    },
  };
}

/** The key set's failures are not the caller's. */
function isCallersFault(error: unknown): boolean {
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC');
}

function refused(error: unknown): never {
  throw isCallersFault(error) ? new TokenRefused({ cause: error }) : new ShellUnavailable({ cause: error });
}

/** A token from the future is nobody's. */
function fromNow<Claims extends JWTPayload>(claims: Claims): Claims {
  if ((claims.iat ?? 0) > Date.now() / 1000 + LEEWAY_SECONDS) throw new TokenRefused();
  return claims;
}

/** A service's token is no person's. */
function personIn(payload: JWTPayload): ActorClaims {
  const { sub, sid, organizationId, roles, permissions } = payload;
  const isPerson = typeof sub === 'string' && typeof sid === 'string' && typeof organizationId === 'string' && isTexts(roles) && (permissions === undefined || isTexts(permissions));
  if (!isPerson) throw new TokenRefused();
  return payload as ActorClaims;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
