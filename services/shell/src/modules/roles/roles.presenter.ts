import type { RoleView } from './roles.dto.js';
import type { RoleWithPermissions } from './roles.service.js';

export function presentRole({ role, permissions }: RoleWithPermissions): RoleView {
  return {
    id: role.id,
    organizationId: role.organizationId ?? null,
    name: role.name,
    description: role.description,
    system: role.isSystem,
    permissions: [...permissions],
    version: role.version,
    createdAt: role.createdAt,
    updatedAt: role.updatedAt,
  };
}
