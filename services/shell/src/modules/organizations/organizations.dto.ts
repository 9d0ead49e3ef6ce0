import type { UserStatus } from '../users/index.js';
import type { OrganizationStatus } from './organization.entity.js';

/** Fields to change; what is absent stays. */
export interface UpdateOrganizationRequest {
  /** At most 200 characters. */
  name?: string;
  /** Kind of organization, for example `company`; at most 40 characters. */
  type?: string;
  /** `suspended` ends everything that its people have running; only the platform's administrators change it. */
  status?: OrganizationStatus;
  /** Domain name of the organization; null for none. */
  domain?: string | null;
}

export interface SetPlanRequest {
  /** Code of a plan, for example PRO. */
  planCode: string;
}

export interface SuccessView {
  success: true;
}

export interface OrganizationView {
  id: string;
  name: string;
  slug: string;
  type: string;
  status: OrganizationStatus;
  domain: string | null;
  subscriptionPlan: string;
  /** Its entity tag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface OrganizationWithUsersView extends OrganizationView {
  /** The first 100 people; GET /api/users pages through all. */
  users: OrganizationUserView[];
  /** How many there are in all. */
  userCount: number;
}

export interface OrganizationUserView {
  id: string;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  status: UserStatus;
}
