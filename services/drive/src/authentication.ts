import type express from 'express';
import { bearerOf, PermissionMissing } from '@satellite/kit/auth';
import { containerOf } from './container.js';
import type { Actor } from './actor.js';
import type { DrivePermission } from './permissions.js';

/** Called by the generated routes before anything of the request is read: `bearer` needs a token, and every listed permission. */
export async function expressAuthentication(request: express.Request, _scheme: string, permissions: string[] = []): Promise<Actor> {
  const actor = await containerOf(request).auth.actorOf(bearerOf(request.headers.authorization));
  (request as { user?: Actor }).user = actor; // also when the next line refuses: the refusal has a name
  for (const permission of permissions) if (!actor.permissions.has(permission as DrivePermission)) throw new PermissionMissing(permission);
  return actor;
}
