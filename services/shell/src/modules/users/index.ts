export { User, UserSchema, type UserStatus } from './user.entity.js';
export { parsePerson, type PersonFields } from './user.rules.js';
export { EmailInUse, takenBy, UsernameInUse } from './users.errors.js';
export { buildUsers } from './users.module.js';
export { UsersRepository } from './users.repository.js';
