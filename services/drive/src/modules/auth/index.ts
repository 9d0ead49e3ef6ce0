export { AuthController } from './auth.controller.js';
export { AuthService } from './auth.service.js';
