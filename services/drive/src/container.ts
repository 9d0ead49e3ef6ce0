import type express from 'express';
import type { OpenApiDocument } from '@satellite/kit/http';
import { containerOf as containerOfRequest } from '@satellite/kit/service';
import { AuditController, AuditLog } from './modules/audit/index.js';
import { AuthController, AuthService } from './modules/auth/index.js';
import { buildFiles } from './modules/files/index.js';
import { buildFolders } from './modules/folders/index.js';
import { buildStorage, type ObjectLedger } from './modules/storage/index.js';
import { buildUsers } from './modules/users/index.js';
import { describeApi } from './openapi.js';
import type { Background, Parts } from './parts.js';

/** Everything of one Drive, wired by hand: one build function a module, in the order of what needs what. */
export interface Container extends Parts {
  readonly auth: AuthService;
  readonly ledger: ObjectLedger;
  readonly openapi: OpenApiDocument;
  /** Controller class → a new one. */
  readonly controllers: ReadonlyMap<unknown, () => object>;
  /** Started in this order, stopped in the other. */
  readonly background: readonly Background[];
}

export function buildContainer(parts: Parts): Container {
  const audit = new AuditLog(parts.db);
  const storage = buildStorage(parts);
  const users = buildUsers(parts, audit);
  const auth = new AuthService({ shell: parts.shell, users: users.users, standings: users.standings });
  const folders = buildFolders(parts, { audit, ledger: storage.ledger });
  const files = buildFiles(parts, { audit, ledger: storage.ledger, folders: folders.folders });
  return {
    ...parts,
    auth,
    ledger: storage.ledger,
    openapi: describeApi(),
    controllers: new Map<unknown, () => object>([[AuthController, () => new AuthController(auth)], [AuditController, () => new AuditController(audit)], ...users.controllers, ...folders.controllers, ...files.controllers]),
    background: [parts.shell, ...storage.background],
  };
}

/** The container of the Drive that serves this request. */
export const containerOf = (request: express.Request): Container => containerOfRequest<Container>(request);
