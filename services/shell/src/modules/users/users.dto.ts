import type { Uuid } from '../../uuid.dto.js';
import type { UserStatus } from './user.entity.js';

/** A new person in the caller's organization. */
export interface CreateUserRequest {
  /** Unique on the platform, whatever the case. */
  email: string;
  /** Unique on the platform, whatever the case; letters, digits and `._+-`, at most 64. */
  username: string;
  /** At most 100 characters. */
  firstName: string;
  /** At most 100 characters. */
  lastName: string;
  /**
   * At least 8 characters, at most 72 bytes. Without it the person is invited by mail to set one.
   * @minLength 8
   * @maxLength 1024
   */
  password?: string;
  /**
   * Roles to begin with; only those whose permissions the caller holds.
   * @maxItems 100
   */
  roleIds?: Uuid[];
}

/** Fields to change; what is absent stays. */
export interface UpdateUserRequest {
  /** Another address voids links that were sent to the old one. */
  email?: string;
  username?: string;
  firstName?: string;
  lastName?: string;
  /** `suspended` ends everything that the person has running. */
  status?: UserStatus;
}

export interface AssignRolesRequest {
  /**
   * Roles to add; the person keeps what they have.
   * @minItems 1
   * @maxItems 100
   */
  roleIds: Uuid[];
}

export interface UserView {
  id: string;
  organizationId: string;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  status: UserStatus;
  /** Role ids. */
  roles: string[];
  /** Its entity tag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
