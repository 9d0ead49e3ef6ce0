import { actsOnAll, type UserActor } from '../../actor.js';
import { OrganizationNotFound } from './organizations.errors.js';

/** Throws OrganizationNotFound for organizations that are none of the actor's business. */
export function assertReaches(actor: UserActor, organizationId: string): void {
  if (!actsOnAll(actor) && organizationId.toLowerCase() !== actor.organizationId) throw new OrganizationNotFound();
}
