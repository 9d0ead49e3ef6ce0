import type { Outbox } from '@satellite/kit/events';
import type { ControllerEntry, Parts } from '../../parts.js';
import type { AuditLog } from '../audit/index.js';
import type { FoldersService } from '../folders/index.js';
import type { Objects } from '../storage/index.js';
import { Downloads } from './download.http.js';
import { FilesController } from './files.controller.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';
import { StorageController } from './storage.controller.js';
import { UploadsService } from './uploads.service.js';

export interface FilesNeeds {
  readonly folders: FoldersService;
  readonly objects: Objects;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
}

/** Files of one Drive. */
export function buildFiles({ db, store, config }: Parts, needs: FilesNeeds) {
  const repository = new FilesRepository(db);
  const files = new FilesService({ db, files: repository, ...needs });
  const uploads = new UploadsService({ db, files: repository, objects: needs.objects, folders: needs.folders, audit: needs.audit }, config.files.maxBytes);
  const downloads = new Downloads(store, config.files.direct);
  const controllers: ControllerEntry[] = [
    [FilesController, () => new FilesController(files, uploads, downloads)],
    [StorageController, () => new StorageController(files)],
  ];
  return { files, downloads, controllers };
}
