/** What can be done in Drive; roles of Drive give it, and nothing of the Shell does. */
export const DRIVE_PERMISSIONS = ['files:read', 'files:write', 'shares:write', 'users:manage'] as const;

export type DrivePermission = (typeof DRIVE_PERMISSIONS)[number];

export const ROLE_IDS = ['admin', 'editor', 'viewer'] as const;
export type RoleId = (typeof ROLE_IDS)[number];

export interface Role {
  readonly id: RoleId;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly DrivePermission[];
}

/** The roles there are (section 4.13 of the interface has no way to make others). */
export const ROLES: readonly Role[] = [
  { id: 'admin', name: 'Administrator', description: 'Everything, also what others made, and who may use Drive', permissions: DRIVE_PERMISSIONS },
  { id: 'editor', name: 'Editor', description: 'Upload and share; change, move and delete what is their own', permissions: ['files:read', 'files:write', 'shares:write'] },
  { id: 'viewer', name: 'Viewer', description: 'See and download', permissions: ['files:read'] },
];

const BY_ID = new Map<string, Role>(ROLES.map((role) => [role.id, role]));

/** The role with this id. */
export function roleOf(id: string): Role | undefined {
  return BY_ID.get(id);
}

/** What somebody with these roles may do. */
export function permissionsOf(roleIds: readonly string[]): ReadonlySet<DrivePermission> {
  return new Set(roleIds.flatMap((id) => BY_ID.get(id)?.permissions ?? []));
}
