import type { DrivePermission } from './permissions.js';

/** The person who sends a request. */
export interface Actor {
  /** Of the user in Drive. */
  readonly id: string;
  /** Of the person in the Shell. */
  readonly shellUserId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly permissions: ReadonlySet<DrivePermission>;
  /** May change what others made. */
  readonly isAdmin: boolean;
}

/** The person of a request; `authentication.ts` has put them there, or refused the request. */
export function actorOf(request: object): Actor {
  const { user } = request as { user?: Actor };
  if (user === undefined) throw new Error('the route has no @Security');
  return user;
}
