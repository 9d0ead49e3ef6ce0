import type { UserStatus } from './user.entity.js';

/** What somebody may do in Drive, as a name. */
export interface RoleView {
  /** `admin`, `editor` or `viewer`. */
  id: string;
  name: string;
  description: string;
  /** For example files:read. */
  permissions: string[];
}

/** A person in the Drive of the organization. */
export interface UserView {
  id: string;
  email: string;
  name: string | null;
  status: UserStatus;
  roles: RoleView[];
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface CreateUserRequest {
  /** Whoever has this address in the Shell becomes this user when they come. */
  email: string;
  name?: string;
  /** The role of newcomers unless given. */
  roleId?: string;
}

export interface UpdateUserRequest {
  /** Suspended people are refused at once, with tokens they have and at the exchange; their links stop. */
  status: UserStatus;
}

export interface GrantRoleRequest {
  roleId: string;
}
