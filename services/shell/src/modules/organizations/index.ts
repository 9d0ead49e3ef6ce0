export { Organization, OrganizationSchema } from './organization.entity.js';
