import type { ControllerEntry, Parts } from '../../parts.js';
import type { buildRoles } from '../roles/index.js';
import { UsersRepository } from '../users/index.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { Provisioning, type OrganizationPlans, type PeopleQuota } from './provisioning.js';

/** Organizations of one Shell. */
export function buildOrganizations({ db }: Parts, { grants, access }: Pick<ReturnType<typeof buildRoles>, 'grants' | 'access'>, plans: OrganizationPlans, quota: PeopleQuota) {
  const organizations = new OrganizationsRepository(db);
  const provisioning = new Provisioning({ organizations, users: new UsersRepository(db), grants, access, plans, quota });
  const service = new OrganizationsService({ organizations, access, provisioning, plans });
  const controllers: ControllerEntry[] = [[OrganizationsController, () => new OrganizationsController(service)]];
  return { organizations: service, controllers };
}
