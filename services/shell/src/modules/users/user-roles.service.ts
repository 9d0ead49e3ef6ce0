import { kept } from '@satellite/kit/db';
import { snapshot } from '../audit/index.js';
import type { UserActor } from '../auth/index.js';
import { RoleNotFound, type AccessChanges, type GrantsRepository, type GrantsService, type RolesRepository } from '../roles/index.js';
import type { User } from './user.entity.js';
import { RoleNotAssigned, UserNotFound } from './users.errors.js';
import type { UsersRepository } from './users.repository.js';

export interface UserRolesServiceDeps {
  readonly users: UsersRepository;
  readonly roles: RolesRepository;
  readonly grants: GrantsRepository;
  /** The fine rules of granting. */
  readonly granting: GrantsService;
  readonly access: AccessChanges;
}

/** Which roles the people of the actor's organization hold. */
export class UserRolesService {
  constructor(private readonly deps: UserRolesServiceDeps) {}

  /** Role ids of a person. */
  async list(actor: UserActor, userId: string): Promise<string[]> {
    const user = await this.deps.users.find(actor.organizationId, userId);
    if (user === undefined) throw new UserNotFound();
    return this.roleIdsOf(user);
  }

  /** Adds roles; answers all that the person now has. Throws UserNotFound, RoleNotFound or NotGrantable. */
  async assign(actor: UserActor, userId: string, roleIds: readonly string[]): Promise<string[]> {
    await this.list(actor, userId);
    return this.changing(actor, userId, 'users.assign_roles', async (user) => {
      const roles = await this.deps.granting.grantable(actor, roleIds);
      await this.deps.grants.add(user.id, roles.map((role) => role.id));
    });
  }

  /** Takes a role away. Throws UserNotFound, RoleNotFound, RoleNotAssigned or LastOwner. */
  async unassign(actor: UserActor, userId: string, roleId: string): Promise<void> {
    await this.list(actor, userId);
    await this.changing(actor, userId, 'users.unassign_role', async (user) => {
      const { roles, grants, granting } = this.deps;
      const role = await roles.find(actor.organizationId, roleId);
      if (role === undefined) throw new RoleNotFound([roleId]);
      if (await granting.isOwnerRole(user.organizationId, role)) await granting.assertNotLastOwner(user.organizationId, user.id);
      if (!(await grants.remove(user.id, role.id))) throw new RoleNotAssigned();
    });
  }

  private changing(actor: UserActor, userId: string, action: 'users.assign_roles' | 'users.unassign_role', work: (user: User) => Promise<void>): Promise<string[]> {
    return this.deps.access.run(actor.organizationId, async () => {
      const user = await this.deps.users.lock(actor.organizationId, userId);
      if (user === undefined) throw new UserNotFound();
      const before = await this.roleIdsOf(user);
      await work(user);
      user.updatedAt = new Date(); // roles are part of what a user's entity tag stands for
      await this.deps.users.flush();
      const after = await this.roleIdsOf(user);
      await this.deps.access.record({ action, organizationId: actor.organizationId, target: { type: 'user', id: user.id }, before: snapshot('user', { roles: before }), after: snapshot('user', { roles: after }) });
      return kept(after);
    });
  }

  private async roleIdsOf(user: User): Promise<string[]> {
    return (await this.deps.grants.roleIdsOf([user.id])).get(user.id) ?? [];
  }
}
