import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch as joseFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import * as client from 'openid-client';
import { messageOf } from '@satellite/kit/core';
import { InvalidToken, ProviderRefused, ProviderUnavailable } from '../auth.errors.js';
import type { ProviderConfig } from './provider-config.js';

const TIMEOUT_MS = 10_000;
/** Signatures whose key is public; a shared secret would let every holder of it sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** What a provider vouches for. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly username: string | undefined;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
}

/** One OpenID Connect provider: authorization code flow with PKCE S256 (RFC 7636), and its tokens. */
export class OidcProvider {
  private discovered: Promise<client.Configuration> | undefined;
  private keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor(readonly config: ProviderConfig) {}

  /** Where the browser goes; always a public address. */
  async authorizationUrl(state: string, codeVerifier: string, redirectUri: string): Promise<string> {
    const url = client.buildAuthorizationUrl(await this.discovery(), {
      redirect_uri: redirectUri,
      scope: this.config.scope,
      state,
      nonce: nonceOf(codeVerifier),
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Exchanges the code; throws ProviderRefused when the provider says no, ProviderUnavailable when it does not answer. */
  async redeem(callbackUrl: URL, state: string, codeVerifier: string): Promise<ProviderIdentity> {
    const configuration = await this.discovery();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonceOf(codeVerifier), idTokenExpected: true });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderRefused('the provider sent no identity');
      return identityOf(claims);
    } catch (error) {
      if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) throw new ProviderRefused(error.error);
      if (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT') throw new ProviderRefused(error.code ?? 'an invalid answer');
      if (error instanceof ProviderRefused) throw error;
      throw new ProviderUnavailable(this.config.providerId, { cause: error });
    }
  }

  /** Claims of a token that this provider issued for us; throws InvalidToken. */
  async verify(token: string): Promise<{ identity: ProviderIdentity; claims: JWTPayload }> {
    const metadata = (await this.discovery()).serverMetadata();
    this.keys ??= createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), { [joseFetch]: this.fetchInternal, timeoutDuration: TIMEOUT_MS });
    try {
      const { payload } = await jwtVerify(token, this.keys, { issuer: metadata.issuer, audience: this.config.clientId, algorithms: ALGORITHMS, clockTolerance: 5, requiredClaims: ['sub', 'exp', 'iat'] });
      return { identity: identityOf(payload), claims: payload };
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) throw new InvalidToken();
      throw new ProviderUnavailable(this.config.providerId, { cause: error });
    }
  }

  /** Asks the provider once; a failure is not kept. */
  private discovery(): Promise<client.Configuration> {
    this.discovered ??= this.discover().catch((error: unknown) => {
      this.discovered = undefined;
      throw new ProviderUnavailable(this.config.providerId, { cause: error });
    });
    return this.discovered;
  }

  private discover(): Promise<client.Configuration> {
    const insecure = this.config.url.startsWith('http:') || this.config.internalUrl?.startsWith('http:');
    return client.discovery(new URL(this.config.url), this.config.clientId, this.config.clientSecret, undefined, {
      ...(insecure === true && { execute: [client.allowInsecureRequests] }),
      [client.customFetch]: this.fetchInternal,
      timeout: TIMEOUT_MS / 1000,
    });
  }

  /** Calls the internal address for the public one; the forwarded headers keep the provider's own links public. */
  private readonly fetchInternal = (input: string, init: object): Promise<Response> => {
    const { url, internalUrl } = this.config;
    const target = new URL(input);
    if (internalUrl === undefined || target.origin !== new URL(url).origin) return fetch(target, init as RequestInit);
    const headers = new Headers((init as RequestInit).headers);
    headers.set('x-forwarded-host', target.host);
    headers.set('x-forwarded-proto', target.protocol.replace(':', ''));
    const internal = new URL(`${target.pathname}${target.search}`, internalUrl);
    return fetch(internal, { ...(init as RequestInit), headers }).catch((error: unknown) => {
      throw new TypeError(`${internal.origin} cannot be reached: ${messageOf(error)}`, { cause: error });
    });
  };
}

/** Derived, so that the login state holds no more than the interface says. */
function nonceOf(codeVerifier: string): string {
  return createHash('sha256').update(`nonce:${codeVerifier}`).digest('base64url');
}

function identityOf(claims: JWTPayload): ProviderIdentity {
  const text = (name: string): string | undefined => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : undefined);
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    email: text('email'),
    emailVerified: claims['email_verified'] === true,
    username: text('preferred_username'),
    firstName: text('given_name') ?? text('name'),
    lastName: text('family_name'),
  };
}
