export { DriveUserSchema } from './user.entity.js';
export { ExchangeRequired, UserSuspended } from './users.errors.js';
export { buildUsers } from './users.module.js';
export type { UsersRepository } from './users.repository.js';
export type { UsersService } from './users.service.js';
