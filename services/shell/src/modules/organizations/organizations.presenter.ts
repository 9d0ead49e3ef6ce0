import type { Organization } from './organization.entity.js';
import type { OrganizationView, OrganizationWithUsersView } from './organizations.dto.js';
import type { OrganizationWithUsers } from './organizations.service.js';

export function presentOrganization(organization: Organization): OrganizationView {
  const { id, name, slug, type, status, domain, subscriptionPlan, version, createdAt, updatedAt } = organization;
  return { id, name, slug, type, status, domain: domain ?? null, subscriptionPlan, version, createdAt, updatedAt };
}

export function presentOrganizationWithUsers({ organization, users, userCount }: OrganizationWithUsers): OrganizationWithUsersView {
  return {
    ...presentOrganization(organization),
    users: users.map(({ id, email, username, firstName, lastName, status }) => ({ id, email, username, firstName, lastName, status })),
    userCount,
  };
}
