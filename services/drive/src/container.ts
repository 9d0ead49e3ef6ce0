import type express from 'express';
import { Outbox } from '@satellite/kit/events';
import { RateLimiter, type OpenApiDocument } from '@satellite/kit/http';
import { Scheduler, type Job } from '@satellite/kit/jobs';
import { containerOf as containerOfRequest } from '@satellite/kit/service';
import { AuditController, AuditLog, RefusalAudit } from './modules/audit/index.js';
import { AuthController, AuthService } from './modules/auth/index.js';
import { buildDataSource } from './modules/data-source/index.js';
import { buildFiles } from './modules/files/index.js';
import { buildFolders } from './modules/folders/index.js';
import { DocsController, HealthController } from './modules/health/index.js';
import { buildShares } from './modules/shares/index.js';
import { buildStorage, type ObjectScan } from './modules/storage/index.js';
import { buildUsers } from './modules/users/index.js';
import { describeApi } from './openapi.js';
import type { Background, ControllerEntry, Parts } from './parts.js';

/** Everything of one Drive, wired by hand: one build function a module, in the order of what needs what. */
export interface Container extends Parts {
  readonly auth: AuthService;
  readonly refusals: RefusalAudit;
  readonly scan: ObjectScan;
  readonly scheduler: Scheduler;
  /** Before everything that takes the token of a link. */
  readonly linkGuard: express.RequestHandler;
  readonly sharePage: express.RequestHandler;
  readonly dataSource: ReturnType<typeof buildDataSource>;
  readonly openapi: OpenApiDocument;
  /** Controller class → a new one. */
  readonly controllers: ReadonlyMap<unknown, () => object>;
  /** Started in this order, stopped in the other. */
  readonly background: readonly Background[];
}

export function buildContainer(parts: Parts): Container {
  const audit = new AuditLog(parts.db);
  const outbox = new Outbox(parts.db);
  const storage = buildStorage(parts);
  const users = buildUsers(parts, audit);
  const auth = new AuthService({ shell: parts.shell, users: users.users, standings: users.standings });
  const folders = buildFolders(parts, { audit, outbox, objects: storage.objects });
  const files = buildFiles(parts, { audit, outbox, objects: storage.objects, folders: folders.folders });
  const shares = buildShares(parts, { audit, files: files.files, downloads: files.downloads });
  const dataSource = buildDataSource(parts, users.standings);
  const openapi = describeApi();
  const { db, metrics, logger } = parts;
  const events: Job = { name: 'outbox.forget', schedule: '31 * * * *', run: () => outbox.forget() };
  const links: Job = { name: 'links.forget', schedule: '29 4 * * *', run: () => shares.repository.sweep() };
  const refusals = new RefusalAudit(audit, new RateLimiter(parts.redis), logger);
  const scheduler = new Scheduler({ db, metrics, logger, jobs: [...storage.jobs, links, events] });
  const own: ControllerEntry[] = [
    [AuthController, () => new AuthController(auth)],
    [AuditController, () => new AuditController(audit)],
    [HealthController, () => new HealthController(parts)],
    [DocsController, () => new DocsController(openapi)],
  ];
  return {
    ...parts,
    auth,
    refusals,
    scan: storage.scan,
    scheduler,
    linkGuard: shares.guard,
    sharePage: shares.page,
    dataSource,
    openapi,
    controllers: new Map([...own, ...users.controllers, ...folders.controllers, ...files.controllers, ...shares.controllers]),
    background: [parts.shell, ...storage.background, outbox.runner(parts), refusals, scheduler],
  };
}

/** The container of the Drive that serves this request. */
export const containerOf = (request: express.Request): Container => containerOfRequest<Container>(request);
