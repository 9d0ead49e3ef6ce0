import { randomUUID } from 'node:crypto';
import { parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { kept } from '@satellite/kit/db';
import { requireMatch } from '@satellite/kit/http';
import { brokenUnique } from '../../tenancy.js';
import { snapshot, type Snapshot } from '../audit/index.js';
import type { UserActor } from '../auth/index.js';
import type { AccessChanges } from './access-changes.js';
import type { GrantsService } from './grants.service.js';
import { normalizeCodes } from './permission-codes.js';
import type { KnownPermission, PermissionsRepository } from './permissions.repository.js';
import { Role } from './role.entity.js';
import { parseRole } from './role.rules.js';
import { RoleNameInUse, RoleNotFound, SystemRoleFixed } from './roles.errors.js';
import type { RolesRepository } from './roles.repository.js';

const LIST_RULES: ListRules = {
  fields: { name: 'string', description: 'string', createdAt: 'timestamp', updatedAt: 'timestamp' },
  sort: ['name', 'createdAt', 'updatedAt'],
  defaultSort: 'name',
};

/** A role with what it permits. */
export interface RoleWithPermissions {
  readonly role: Role;
  readonly permissions: readonly string[];
}

export interface RoleChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Replaces the set; codes of either notation. */
  readonly permissions?: readonly string[] | undefined;
}

export interface RolesServiceDeps {
  readonly roles: RolesRepository;
  readonly permissions: PermissionsRepository;
  readonly grants: GrantsService;
  readonly access: AccessChanges;
}

/** Roles of the actor's organization. */
export class RolesService {
  constructor(private readonly deps: RolesServiceDeps) {}

  async list(actor: UserActor, parameters: ListParameters): Promise<Page<RoleWithPermissions>> {
    const page = await this.deps.roles.page(actor.organizationId, parseListQuery(parameters, LIST_RULES));
    const codes = await this.deps.roles.permissionsOf(page.items.map(({ id }) => id));
    return page.map((role) => ({ role, permissions: codes.get(role.id) ?? [] }));
  }

  async get(actor: UserActor, id: string): Promise<RoleWithPermissions> {
    const role = await this.deps.roles.find(actor.organizationId, id);
    if (role === undefined) throw new RoleNotFound([id]);
    return this.withPermissions(role);
  }

  /** Throws InvalidFields, NotGrantable or RoleNameInUse. */
  async create(actor: UserActor, given: RoleChanges & { readonly name: string }): Promise<RoleWithPermissions> {
    const fields = parseRole({ name: given.name, description: given.description ?? '' });
    const codes = await this.grantableCodes(actor, given.permissions ?? []);
    const role = Object.assign(new Role(), fields, { id: randomUUID(), organizationId: actor.organizationId });
    return this.naming(fields.name, actor.organizationId, async () => {
      await this.deps.roles.add(role);
      await this.deps.roles.replacePermissions(role.id, codes);
      const created = await this.withPermissions(role);
      await this.deps.access.record({ action: 'roles.create', organizationId: actor.organizationId, target: { type: 'role', id: role.id }, after: recordable(created) });
      return kept(created);
    });
  }

  /** Changes what is given. Throws RoleNotFound, SystemRoleFixed, StaleRecord, InvalidFields, NotGrantable or RoleNameInUse. */
  update(actor: UserActor, id: string, given: RoleChanges, ifMatch?: string): Promise<RoleWithPermissions> {
    return this.change(actor, id, given, ifMatch, 'roles.update');
  }

  /** Replaces the set of permissions. Throws what `update` throws. */
  setPermissions(actor: UserActor, id: string, permissions: readonly string[], ifMatch?: string): Promise<RoleWithPermissions> {
    return this.change(actor, id, { permissions }, ifMatch, 'roles.set_permissions');
  }

  private async change(actor: UserActor, id: string, given: RoleChanges, ifMatch: string | undefined, action: 'roles.update' | 'roles.set_permissions'): Promise<RoleWithPermissions> {
    this.assertOwn((await this.get(actor, id)).role);
    const codes = given.permissions && (await this.grantableCodes(actor, given.permissions));
    return this.naming(given.name, actor.organizationId, async () => {
      const role = await this.locked(actor, id, ifMatch);
      const before = recordable(await this.withPermissions(role));
      Object.assign(role, parseRole({ name: given.name ?? role.name, description: given.description ?? role.description }));
      if (codes !== undefined) await this.replacePermissions(role, codes);
      await this.deps.roles.flush();
      const changed = await this.withPermissions(role);
      await this.deps.access.record({ action, organizationId: actor.organizationId, target: { type: 'role', id: role.id }, before, after: recordable(changed) });
      return changed;
    });
  }

  async remove(actor: UserActor, id: string, ifMatch?: string): Promise<void> {
    this.assertOwn((await this.get(actor, id)).role);
    await this.deps.access.run(actor.organizationId, async () => {
      const role = await this.locked(actor, id, ifMatch);
      await this.deps.access.record({ action: 'roles.delete', organizationId: actor.organizationId, target: { type: 'role', id: role.id }, before: recordable(await this.withPermissions(role)) });
      await this.deps.roles.remove(role);
    });
  }

  /** Every permission code there is. */
  knownPermissions(): Promise<KnownPermission[]> {
    return this.deps.permissions.all();
  }

  private async grantableCodes(actor: UserActor, given: readonly string[]): Promise<string[]> {
    const known = await this.deps.permissions.all();
    const codes = normalizeCodes(given, new Set(known.map(({ code }) => code)));
    await this.deps.grants.assertHolds(actor, codes);
    return codes;
  }

  /** The set is part of the role: its version counts changes of it too. */
  private async replacePermissions(role: Role, codes: readonly string[]): Promise<void> {
    await this.deps.roles.replacePermissions(role.id, codes);
    role.updatedAt = new Date();
  }

  private async locked(actor: UserActor, id: string, ifMatch: string | undefined): Promise<Role> {
    const role = await this.deps.roles.lock(actor.organizationId, id);
    if (role === undefined) throw new RoleNotFound([id]);
    requireMatch(ifMatch, role.version);
    return role;
  }

  private assertOwn(role: Role): void {
    if (role.isSystem) throw new SystemRoleFixed(role.name);
  }

  /** Runs a change that may give a role this name. */
  private async naming<T>(name: string | undefined, organizationId: string, work: () => Promise<T>): Promise<T> {
    if (name !== undefined && (await this.deps.roles.isSystemName(name))) throw new RoleNameInUse(name);
    try {
      return await this.deps.access.run(organizationId, work);
    } catch (error) {
      throw brokenUnique(error) === 'roles_organization_id_name_key' ? new RoleNameInUse(name ?? '') : error;
    }
  }

  private async withPermissions(role: Role): Promise<RoleWithPermissions> {
    return { role, permissions: (await this.deps.roles.permissionsOf([role.id])).get(role.id) ?? [] };
  }
}

function recordable({ role, permissions }: RoleWithPermissions): Snapshot {
  return snapshot('role', role, { permissions });
}
