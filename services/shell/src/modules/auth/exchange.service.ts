import type { JWTPayload } from 'jose';
import { AppNotEnabled, InvalidTarget, InvalidToken } from './auth.errors.js';
import type { AuthRepository } from './auth.repository.js';
import { GATEWAY_AUDIENCE, type IssuedToken, type TokenService } from './token.service.js';

/** An app as seen from one organization. */
export interface AppTarget {
  readonly slug: string;
  readonly active: boolean;
  /** For the organization. */
  readonly enabled: boolean;
  /** Codes that the app declares. */
  readonly permissions: readonly string[];
}

/** Where the exchange learns about apps; the apps module supplies it. */
export interface AppTargets {
  find(slugOrId: string, organizationId: string): Promise<AppTarget | undefined>;
}

export interface ExchangedToken extends IssuedToken {
  /** Slug of the app the token is for. */
  readonly service: string;
}

/** What a verified token says of the person it was issued to. */
export interface Subject {
  readonly claims: JWTPayload;
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionId: string;
}

/** The person behind verified claims; throws InvalidToken when they are not a person's. */
export function subjectOf(claims: JWTPayload): Subject {
  const { sub, sid, organizationId } = claims;
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof organizationId !== 'string') throw new InvalidToken();
  return { claims, userId: sub, organizationId, sessionId: sid };
}

/** Turns a token for one audience into a token for another, never into more than it was (RFC 8693). */
export class ExchangeService {
  constructor(
    private readonly tokens: TokenService,
    private readonly people: AuthRepository,
    private readonly apps: AppTargets,
  ) {}

  /**
   * A token for one app, with those of the person's permissions that the app declares; it ends no later than the one
   * it comes from. `actor` is who acts for the person, kept in `act` together with those before.
   * Throws InvalidTarget, AppNotEnabled or InvalidToken (the session ended meanwhile).
   */
  async exchange({ claims, userId, organizationId, sessionId }: Subject, service: string, actor?: string): Promise<ExchangedToken> {
    const [person, grants] = await Promise.all([this.people.findPerson(userId), this.people.grantsOf(userId, organizationId, sessionId)]);
    if (!person || !grants) throw new InvalidToken();
    const target = service === GATEWAY_AUDIENCE ? undefined : await this.target(service, organizationId);
    const { id, email, username, firstName, lastName } = person;
    const issued = await this.tokens.issueExchanged(
      {
        sub: id, email, username, firstName, lastName, roles: grants.roles, organizationId, sid: sessionId,
        ...(target && { permissions: grants.permissions.filter((code) => target.permissions.includes(code)) }),
        ...actClaim(claims, actor),
      },
      target?.slug ?? GATEWAY_AUDIENCE,
      claims.exp ?? 0,
    );
    return { ...issued, service: target?.slug ?? GATEWAY_AUDIENCE };
  }

  private async target(service: string, organizationId: string): Promise<AppTarget> {
    const target = service.includes('\0') ? undefined : await this.apps.find(service, organizationId);
    // a token for the Shell's own audience would be the Shell's token again, wider than any app's
    if (!target?.active || target.slug === this.tokens.ownAudience) throw new InvalidTarget(service.slice(0, 64));
    if (!target.enabled) throw new AppNotEnabled(target.slug);
    return target;
  }
}

/** RFC 8693 section 4.1: the newest actor outermost. */
function actClaim(claims: JWTPayload, actor: string | undefined): JWTPayload {
  const before = claims['act'];
  if (actor === undefined) return before === undefined ? {} : { act: before };
  return { act: before === undefined ? { sub: actor } : { sub: actor, act: before } };
}
