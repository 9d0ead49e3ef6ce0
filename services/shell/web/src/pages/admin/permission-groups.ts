import type { Schemas } from '../../api/shell-api.js';

type Permission = Pick<Schemas['PermissionView'], 'code' | 'description'>;

export interface PermissionGroup {
  /** Resource of the platform, or name of an app. */
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** Permissions by what they are about; without the list, those that the roles have. */
export function groupsOf(known: readonly Schemas['PermissionView'][], roles: readonly Schemas['RoleView'][]): PermissionGroup[] {
  const all: readonly Permission[] = known.length > 0 ? known : [...new Set(roles.flatMap(({ permissions }) => permissions))].map((code) => ({ code, description: '' }));
  const groups = new Map<string, Permission[]>();
  for (const permission of [...all].sort((a, b) => a.code.localeCompare(b.code))) {
    const name = permission.code.split(/[.:]/)[0] ?? permission.code;
    groups.set(name, [...(groups.get(name) ?? []), permission]);
  }
  return [...groups].map(([name, permissions]) => ({ name, permissions }));
}
