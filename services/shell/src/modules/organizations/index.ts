export { OrganizationSchema } from './organization.entity.js';
export { OrganizationNotFound } from './organizations.errors.js';
export { buildOrganizations } from './organizations.module.js';
export type { OrganizationsService } from './organizations.service.js';
