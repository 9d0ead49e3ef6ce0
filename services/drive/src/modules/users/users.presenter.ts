import type { Role } from '../../permissions.js';
import type { RoleView, UserView } from './users.dto.js';
import type { UserWithRoles } from './users.service.js';

export function presentRole({ id, name, description, permissions }: Role): RoleView {
  return { id, name, description, permissions: [...permissions] };
}

export function presentUser({ user, roles }: UserWithRoles): UserView {
  const { id, email, name, status, createdAt, updatedAt, version } = user;
  return { id, email, name: name ?? null, status, roles: roles.map(presentRole), createdAt, updatedAt, version };
}
