import type { Outbox } from '@satellite/kit/events';
import type { ControllerEntry, Parts } from '../../parts.js';
import type { AuditLog } from '../audit/index.js';
import type { Objects } from '../storage/index.js';
import { FoldersController } from './folders.controller.js';
import { FoldersRepository } from './folders.repository.js';
import { FoldersService } from './folders.service.js';

/** Folders of one Drive. */
export function buildFolders({ db }: Parts, needs: { readonly audit: AuditLog; readonly objects: Objects; readonly outbox: Outbox }) {
  const folders = new FoldersService({ db, folders: new FoldersRepository(db), ...needs });
  const controllers: ControllerEntry[] = [[FoldersController, () => new FoldersController(folders)]];
  return { folders, controllers };
}
