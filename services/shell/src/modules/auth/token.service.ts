import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { VerifiedTokens } from '@satellite/kit/auth';
import { systemClock, type Clock } from '@satellite/kit/core';
import { InvalidToken } from './auth.errors.js';
import { SIGNING_ALGORITHM, type SigningKeysService } from './signing-keys.service.js';

/** Audience of tokens for the service-to-service gateway (section 5, item 9 of the interface). */
export const GATEWAY_AUDIENCE = 'shell-rbac';
/** Life of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600;
/** RFC 9068: what tells an access token from every other JWT. */
const ACCESS_TOKEN_TYPE = 'at+jwt';
const LEEWAY_SECONDS = 5;

/** Claims of a person's access token (section 2.1 of the interface) and the session it belongs to. */
export interface UserClaims {
  readonly sub: string;
  readonly email: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly string[];
  readonly organizationId: string;
  readonly sid: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly tokenType: 'Bearer';
}

export interface TokenServiceOptions {
  readonly issuer: string;
  readonly audience: string;
}

/** Signs and verifies the Shell's own tokens. */
export class TokenService {
  /** A signature is checked once; whether the token still counts is asked anew each time, by who verifies it. */
  private readonly verified = new VerifiedTokens<{ claims: JWTPayload; kid: string; exp: number | undefined }>();

  constructor(
    private readonly keys: SigningKeysService,
    private readonly options: TokenServiceOptions,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Audience of the Shell's own tokens. */
  get ownAudience(): string {
    return this.options.audience;
  }

  /** A person's access token for the Shell, ending no later than `notAfter` (seconds since the epoch). */
  issueForUser(claims: UserClaims, notAfter = Infinity): Promise<IssuedToken> {
    return this.issueExchanged({ ...claims }, this.options.audience, notAfter);
  }

  /** A service's token for the gateway. */
  issueForService(clientId: string): Promise<IssuedToken> {
    return this.issue({ sub: `client:${clientId}`, client_id: clientId }, GATEWAY_AUDIENCE, ACCESS_TOKEN_SECONDS);
  }

  /** A person's token for another audience, ending no later than `notAfter` (seconds since the epoch). */
  issueExchanged(claims: JWTPayload, audience: string, notAfter: number): Promise<IssuedToken> {
    const left = Math.floor(notAfter - this.clock.now() / 1000);
    if (left < 1) throw new InvalidToken();
    return this.issue(claims, audience, Math.min(left, ACCESS_TOKEN_SECONDS));
  }

  private async issue(claims: JWTPayload, audience: string, seconds: number): Promise<IssuedToken> {
    const { id, privateKey } = this.keys.signingKey();
    const now = Math.floor(this.clock.now() / 1000);
    const accessToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: id, typ: ACCESS_TOKEN_TYPE })
      .setIssuer(this.options.issuer)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(privateKey);
    return { accessToken, expiresIn: seconds, tokenType: 'Bearer' };
  }

  /** Claims of a person's token for the Shell; throws InvalidToken. */
  verifyUser(token: string): Promise<JWTPayload> {
    return this.verify(token, this.options.audience);
  }

  /** Claims of a token for the gateway; throws InvalidToken. */
  verifyForGateway(token: string): Promise<JWTPayload> {
    return this.verify(token, GATEWAY_AUDIENCE);
  }

  /** Claims of a person's token for one app, which the app shows to act for the person; throws InvalidToken. */
  verifyForApp(token: string, slug: string): Promise<JWTPayload> {
    return this.verify(token, slug);
  }

  /** Keys come from the Shell alone: whatever the token's header says about where to fetch one is not read. */
  private async verify(token: string, audience: string): Promise<JWTPayload> {
    const known = this.verified.get(`${audience} ${token}`);
    if (known && this.keys.verificationKey(known.kid) !== undefined) return known.claims;
    const { claims, kid } = await this.verifySignature(token, audience);
    this.verified.put(`${audience} ${token}`, { claims, kid, exp: claims.exp });
    return claims;
  }

  private async verifySignature(token: string, audience: string): Promise<{ claims: JWTPayload; kid: string }> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : this.keys.verificationKey(kid);
          if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
          return key;
        },
        { algorithms: [SIGNING_ALGORITHM], issuer: this.options.issuer, audience, typ: ACCESS_TOKEN_TYPE, clockTolerance: LEEWAY_SECONDS, currentDate: new Date(this.clock.now()), requiredClaims: ['sub', 'jti', 'iat', 'exp'] },
      );
      if ((payload.iat ?? 0) > this.clock.now() / 1000 + LEEWAY_SECONDS) throw new InvalidToken();
      return { claims: payload, kid: protectedHeader.kid ?? '' };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new InvalidToken();
      throw error;
    }
  }
}
