/** A new role of the caller's organization. */
export interface CreateRoleRequest {
  /** Unique in the organization whatever the case; at most 64 characters; not a name of the system's roles. */
  name: string;
  /** At most 500 characters. */
  description?: string;
  /**
   * Permission codes, `users:list` or `USERS_LIST`; only those that the caller holds.
   * @maxItems 1000
   */
  permissions?: string[];
}

/** Fields to change; what is absent stays. */
export interface UpdateRoleRequest {
  name?: string;
  description?: string;
  /**
   * Replaces the whole set.
   * @maxItems 1000
   */
  permissions?: string[];
}

export interface SetRolePermissionsRequest {
  /**
   * The whole new set, `users:list` or `USERS_LIST`; only codes that the caller holds.
   * @maxItems 1000
   */
  permissions: string[];
}

export interface RoleView {
  id: string;
  /** null for roles of the system. */
  organizationId: string | null;
  name: string;
  description: string;
  /** Roles of the system are the same for everybody and cannot be changed. */
  system: boolean;
  permissions: string[];
  /** Its entity tag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface PermissionView {
  code: string;
  description: string;
  /** Slug of the app that declares it; null for the Shell's own. */
  app: string | null;
}
