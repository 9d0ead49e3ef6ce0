export { User, UserSchema } from './user.entity.js';
