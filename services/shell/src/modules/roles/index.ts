export type { AccessChanges } from './access-changes.js';
export type { GrantsRepository } from './grants.repository.js';
export type { GrantsService } from './grants.service.js';
export type { PolicyChanges } from './policy-changes.js';
export { RoleSchema, SYSTEM_ROLES } from './role.entity.js';
export { RoleNotFound } from './roles.errors.js';
export { buildRoles } from './roles.module.js';
export type { RolesRepository } from './roles.repository.js';
