import type { ControllerEntry, Parts } from '../../parts.js';
import { assertUsablePassword, type PasswordHasher } from '../auth/index.js';
import type { buildRoles } from '../roles/index.js';
import type { Newcomers } from './newcomers.js';
import { UserRolesService } from './user-roles.service.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** What users need of other modules. */
export interface UsersNeeds {
  readonly roles: Pick<ReturnType<typeof buildRoles>, 'roles' | 'grants' | 'granting' | 'access'>;
  readonly hasher: PasswordHasher;
  readonly invitations: Pick<Newcomers, 'invite'>;
  readonly quota: { assertRoom(organizationId: string, limitKey: 'users'): Promise<void> };
}

/** The people of organizations, of one Shell. */
export function buildUsers({ db, repeatable }: Parts, { roles: { roles, grants, granting, access }, hasher, invitations, quota }: UsersNeeds) {
  const newcomers: Newcomers = {
    hash: async (password) => {
      assertUsablePassword('password', password);
      return hasher.hash(password);
    },
    invite: (userId, email) => invitations.invite(userId, email),
    assertRoom: (organizationId) => quota.assertRoom(organizationId, 'users'),
  };
  const users = new UsersRepository(db);
  const service = new UsersService({ users, grants, granting, access, newcomers });
  const userRoles = new UserRolesService({ users, roles, grants, granting, access });
  const controllers: ControllerEntry[] = [[UsersController, () => new UsersController(service, userRoles, repeatable)]];
  return { controllers };
}
