import type { UserView } from './users.dto.js';
import type { UserWithRoles } from './users.service.js';

export function presentUser({ user, roleIds }: UserWithRoles): UserView {
  return {
    id: user.id,
    organizationId: user.organizationId,
    email: user.email,
    username: user.username,
    firstName: user.firstName,
    lastName: user.lastName,
    status: user.status,
    roles: [...roleIds],
    version: user.version,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
  };
}
