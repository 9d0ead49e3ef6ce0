import { AppError } from '@satellite/kit/core';

/** Also for roles that exist but are nobody's business here. */
export class RoleNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'roles.not_found';
  constructor(ids: readonly string[]) {
    super(ids.length === 1 ? 'There is no such role.' : 'Some of these roles do not exist.', { roleIds: ids });
  }
}

export class RoleNameInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'roles.name_in_use';
  constructor(name: string) {
    super(`A role named "${name}" exists, or the platform keeps the name for itself. Choose another one.`, { name });
  }
}

export class SystemRoleFixed extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'roles.system_role';
  constructor(name: string) {
    super(`"${name}" is a role of the platform and cannot be changed. Make a role of your own instead.`, { name });
  }
}

/** Nobody grants more than they hold. */
export class NotGrantable extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'roles.not_grantable';
  constructor(permissions: readonly string[], roles: readonly string[] = []) {
    const what = [...permissions, ...roles.map((name) => `the role ${name}`)].join(', ');
    super(`You cannot grant what you do not hold yourself: ${what}.`, { permissions, roles });
  }
}

/** The organization would be left without anybody who can administer it. */
export class LastOwner extends AppError {
  readonly kind = 'conflict';
  readonly code = 'users.last_owner';
  constructor() {
    super('This is the last active administrator of the organization. Make somebody else administrator first.');
  }
}
