import type { ServiceActor } from '../../actor.js';
import { PermissionDenied, SignInRequired } from './auth.errors.js';
import type { AuthService } from './auth.service.js';

/** Lets an RPC go on when its caller holds the permission, and answers who that is; throws SignInRequired, InvalidToken or PermissionDenied. */
export type Authorize = (headers: Headers, permission: string) => Promise<ServiceActor>;

export function makeAuthorize(auth: AuthService): Authorize {
  return async (headers, permission) => {
    const token = bearerOf(headers.get('authorization') ?? undefined);
    if (token === undefined) throw new SignInRequired();
    const actor = await auth.serviceOf(token);
    if (!actor.permissions.has(permission)) throw new PermissionDenied(permission);
    return actor;
  };
}

/** The token of an Authorization header (RFC 6750). */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header ?? '')?.[1];
}
