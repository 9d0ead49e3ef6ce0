export { TenantRepository } from '@satellite/kit/db';
