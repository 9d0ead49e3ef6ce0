import type { Request, RequestHandler } from 'express';
import { bearerOf } from './bearer.js';
import { PermissionMissing, TokenRefused } from './errors.js';
import type { PermissionClient } from './permission-client.js';
import type { RevocationFeed } from './revocation-feed.js';
import type { ActorClaims, TokenVerifier } from './token-verifier.js';

/** Says that a route is for everybody who is signed in; there is no other way to leave the permission out. */
export const NO_PERMISSION: unique symbol = Symbol('no permission');

/** The person who sends a request. */
export interface Actor {
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionId: string;
  /** Role names as of when the token was issued: for display. What may be done is the guard's permission. */
  readonly roles: readonly string[];
  readonly claims: ActorClaims;
  /** To exchange it for another app's token, or to pass it on; never to be logged. */
  readonly token: string;
}

export interface GuardOptions {
  readonly verifier: TokenVerifier;
  readonly revocations: Pick<RevocationFeed, 'assertLive'>;
  readonly permissions: Pick<PermissionClient, 'check'>;
  /** A code that the app declares, for example `drive.files:read`, or NO_PERMISSION. */
  readonly permission: string | typeof NO_PERMISSION;
}

const CODE = /^([a-z][a-z0-9.-]*[a-z0-9_-]):([a-z][a-z0-9_-]*)$/;
/** Answers about who the person is, not about what they may do. */
const NOBODY = new Set(['unknown_subject', 'subject_inactive', 'organization_inactive', 'other_organization']);

const actors = new WeakMap<object, Actor>();

/** The person of a request that `requireActor` let through. */
export function actorOf(request: Request): Actor {
  const actor = actors.get(request);
  if (actor === undefined) throw new Error('the route has no guard: put requireActor before it');
  return actor;
}

/**
 * Lets a request through when its token is the Shell's, for this service, still live, and its person holds the
 * permission at this moment. A token with a list of permissions is a limit as well: what was granted after it was
 * issued needs a new one. Hands TokenRefused (401), PermissionMissing (403) or ShellUnavailable (503) to `next`.
 */
export function requireActor(options: GuardOptions): RequestHandler {
  const { permission } = options;
  const question = permission === NO_PERMISSION ? undefined : questionOf(permission);
  return (request, _response, next) => {
    admit(request.headers.authorization, options, question).then((actor) => {
      actors.set(request, actor);
      next();
    }, next);
  };
}

interface RequiredPermission {
  readonly code: string;
  readonly obj: string;
  readonly act: string;
}

function questionOf(code: string): RequiredPermission {
  const [, obj, act] = CODE.exec(code) ?? [];
  if (obj === undefined || act === undefined) throw new TypeError(`"${code}" is not a permission code such as drive.files:read`);
  return { code, obj, act };
}

async function admit(authorization: string | undefined, { verifier, revocations, permissions }: GuardOptions, required: RequiredPermission | undefined): Promise<Actor> {
  const token = bearerOf(authorization);
  const claims = await verifier.verify(token);
  revocations.assertLive(claims);
  const { sub, organizationId, sid, roles } = claims;
  if (required !== undefined) {
    if (claims.permissions !== undefined && !claims.permissions.includes(required.code)) throw new PermissionMissing(required.code);
    const { allowed, reason } = await permissions.check({ sub, organizationId, act: required.act, obj: required.obj });
    if (!allowed) throw NOBODY.has(reason) ? new TokenRefused() : new PermissionMissing(required.code);
    revocations.assertLive(claims); // it may have ended while the Shell was asked
  }
  return { userId: sub, organizationId, sessionId: sid, roles, claims, token };
}
