import type { UserActor } from '../auth/index.js';
import type { Tenancy } from '../../tenancy.js';
import type { GrantsRepository } from './grants.repository.js';
import { missingFrom, namesOutOfReach, systemNamesOf, type Holdings } from './roles.policy.js';
import { SYSTEM_ROLES, type Role } from './role.entity.js';
import { LastOwner, NotGrantable, RoleNotFound } from './roles.errors.js';
import type { RolesRepository } from './roles.repository.js';

/** The fine rules of granting: nobody grants more than they hold, and somebody always holds the organization. */
export class GrantsService {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly roles: RolesRepository,
    private readonly tenancy: Tenancy,
  ) {}

  /** The roles with these ids, if the actor may give all of them; throws RoleNotFound or NotGrantable. */
  async grantable(actor: UserActor, roleIds: readonly string[]): Promise<Role[]> {
    const wanted = [...new Set(roleIds.map((id) => id.toLowerCase()))];
    const roles = await this.roles.findAll(actor.organizationId, wanted);
    const unknown = wanted.filter((id) => !roles.some((role) => role.id === id));
    if (unknown.length > 0) throw new RoleNotFound(unknown);
    const codes = [...(await this.roles.permissionsOf(wanted)).values()].flat();
    const holdings = await this.holdingsOf(actor);
    const permissions = missingFrom(holdings, codes);
    const names = namesOutOfReach(holdings, systemNamesOf(roles));
    if (permissions.length > 0 || names.length > 0) throw new NotGrantable(permissions, names);
    return roles;
  }

  /** Throws NotGrantable when the actor lacks one of the codes. */
  async assertHolds(actor: UserActor, codes: readonly string[]): Promise<void> {
    const missing = missingFrom(await this.holdingsOf(actor), codes);
    if (missing.length > 0) throw new NotGrantable(missing);
  }

  /** True when the other person may do nothing that the actor may not. */
  async covers(actor: UserActor, userId: string): Promise<boolean> {
    const [mine, theirs] = [await this.holdingsOf(actor), await this.grants.holdingsOf(userId)];
    return missingFrom(mine, theirs.permissions).length === 0 && namesOutOfReach(mine, theirs.systemRoles).length === 0;
  }

  /** Permissions as the request found them, system roles as they are now. */
  private async holdingsOf(actor: UserActor): Promise<Holdings> {
    return { permissions: actor.permissions, systemRoles: (await this.grants.holdingsOf(actor.userId)).systemRoles };
  }

  /** Throws LastOwner when nobody but this person administers the organization; call with the organization locked, before taking anything away. */
  async assertNotLastOwner(organizationId: string, userId: string): Promise<void> {
    const owners = await this.grants.activeHolders(organizationId, await this.ownerRole(organizationId));
    if (owners.length === 1 && owners[0] === userId) throw new LastOwner();
  }

  /** Whether losing this role can leave the organization without an owner. */
  async isOwnerRole(organizationId: string, role: Role): Promise<boolean> {
    return role.isSystem && role.name === (await this.ownerRole(organizationId));
  }

  private async ownerRole(organizationId: string): Promise<string> {
    return (await this.tenancy.isPlatform(organizationId)) ? SYSTEM_ROLES.platform : SYSTEM_ROLES.owner;
  }
}
