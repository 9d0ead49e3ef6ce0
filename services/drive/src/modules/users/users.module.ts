import type { ControllerEntry, Parts } from '../../parts.js';
import type { AuditLog } from '../audit/index.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** People of one Drive. */
export function buildUsers({ db, config }: Parts, audit: AuditLog) {
  const repository = new UsersRepository(db);
  const users = new UsersService({ db, users: repository, audit, defaultRole: config.users.defaultRole });
  const controllers: ControllerEntry[] = [[UsersController, () => new UsersController(users)]];
  return { users, standings: repository, controllers };
}
