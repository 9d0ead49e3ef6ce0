import type { JWTPayload } from 'jose';

/** A signed-in person, as of this request. */
export interface UserActor {
  readonly kind: 'user';
  /** Verified claims of the token. */
  readonly claims: JWTPayload;
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionId: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
}

/** A service that holds a token for the gateway (aud = shell-rbac). */
export interface ServiceActor {
  readonly kind: 'service';
  readonly clientId: string;
  readonly permissions: ReadonlySet<string>;
  /** The installation whose registry entries it may write, and no others; null: all but those in `reserved`. */
  readonly installation: string | null;
  /** Installations that other clients speak for. */
  readonly reserved: readonly string[];
}

/** The person of a request on a route that needs a token. */
export function actorOf(request: { user?: UserActor }): UserActor {
  if (request.user === undefined) throw new Error('the route declares no security');
  return request.user;
}

/** `organizations:list` is the platform's permission: who sees all organizations acts on all of them. */
export function actsOnAll(actor: Pick<UserActor, 'permissions'>): boolean {
  return actor.permissions.has('organizations:list');
}
