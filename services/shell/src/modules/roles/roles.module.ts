import type { ControllerEntry } from '../../parts.js';
import { Tenancy } from '../../tenancy.js';
import type { AuditedParts } from '../audit/index.js';
import { Revocations, SessionsRepository } from '../auth/index.js';
import { AccessChanges } from './access-changes.js';
import { AppGrants } from './app-grants.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';
import { PermissionsRepository } from './permissions.repository.js';
import { PolicyChanges } from './policy-changes.js';
import { PermissionsController, RolesController } from './roles.controller.js';
import { RolesRepository } from './roles.repository.js';
import { RolesService } from './roles.service.js';

/** Roles, what they permit and who holds them, of one Shell. */
export function buildRoles({ db, feeds, audit, repeatable }: AuditedParts) {
  const tenancy = new Tenancy(db);
  const roles = new RolesRepository(db, tenancy);
  const permissions = new PermissionsRepository(db);
  const grants = new GrantsRepository(db);
  const granting = new GrantsService(grants, roles, tenancy);
  const policy = new PolicyChanges(db, feeds);
  const access = new AccessChanges({ db, tenancy, policy, revocations: new Revocations(db, feeds), sessions: new SessionsRepository(db), audit });
  const service = new RolesService({ roles, permissions, grants: granting, access });
  const controllers: ControllerEntry[] = [
    [RolesController, () => new RolesController(service, repeatable)],
    [PermissionsController, () => new PermissionsController(service)],
  ];
  return { roles, grants, granting, access, appGrants: new AppGrants(db, policy), policy, controllers };
}
