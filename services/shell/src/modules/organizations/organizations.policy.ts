import type { UserActor } from '../auth/index.js';
import { OrganizationNotFound } from './organizations.errors.js';

/** `organizations:list` is the platform's permission: who sees all organizations acts on all of them. */
export function actsOnAll(actor: UserActor): boolean {
  return actor.permissions.has('organizations:list');
}

/** Throws OrganizationNotFound for organizations that are none of the actor's business. */
export function assertReaches(actor: UserActor, organizationId: string): void {
  if (!actsOnAll(actor) && organizationId.toLowerCase() !== actor.organizationId) throw new OrganizationNotFound();
}
