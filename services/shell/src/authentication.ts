import type express from 'express';
import { bearerOf, InvalidToken, PermissionDenied, SignInRequired, type UserActor } from './modules/auth/index.js';
import { containerOf } from './container.js';

/**
 * Called by the generated routes before validation. `bearer` needs a token and every listed permission;
 * `optional_bearer` takes a request without a token, but never one with a bad token. `service` needs a service token.
 */
export async function expressAuthentication(request: express.Request, scheme: string, permissions: string[] = []): Promise<UserActor | undefined> {
  const header = request.headers.authorization;
  if (header === undefined && scheme === 'optional_bearer') return undefined;
  if (header === undefined) throw new SignInRequired();
  if (scheme === 'service') return void (await assertService(request));
  const token = bearerOf(header);
  if (token === undefined) throw new InvalidToken();
  const actor = await personBehind(request, token);
  for (const permission of permissions) if (!actor.permissions.has(permission)) throw new PermissionDenied(permission);
  return actor;
}

/** Routes with several ways to be allowed ask once a way; the person is looked up once a request. */
const people = new WeakMap<express.Request, Promise<UserActor>>();

function personBehind(request: express.Request, token: string): Promise<UserActor> {
  const known = people.get(request) ?? containerOf(request).auth.userOf(token);
  people.set(request, known);
  return known;
}

async function assertService(request: express.Request): Promise<void> {
  const caller = await containerOf(request).gateway.callers.callerOf(request.headers.authorization);
  if (caller.kind !== 'service') throw new InvalidToken();
}
