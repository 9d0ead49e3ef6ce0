import { RateLimiter } from '@satellite/kit/http';
import type { ControllerEntry, Parts } from '../../parts.js';
import type { AuditLog } from '../audit/index.js';
import type { Downloads, FilesService } from '../files/index.js';
import { linkGuard } from './link-guard.http.js';
import { LinkTokens } from './link-tokens.js';
import { PublicFilesController } from './public-files.controller.js';
import { sharePage } from './share-page.http.js';
import { SharesController } from './shares.controller.js';
import { SharesRepository } from './shares.repository.js';
import { SharesService } from './shares.service.js';

export interface SharesNeeds {
  readonly files: FilesService;
  readonly downloads: Downloads;
  readonly audit: AuditLog;
}

/** Share links of one Drive. */
export function buildShares({ db, redis, shell, config }: Parts, { files, downloads, audit }: SharesNeeds) {
  const repository = new SharesRepository(db);
  const shares = new SharesService({ db, shares: repository, files, tokens: new LinkTokens(config.links.keys), shell, audit });
  const controllers: ControllerEntry[] = [
    [SharesController, () => new SharesController(shares, config.links.baseUrl)],
    [PublicFilesController, () => new PublicFilesController(shares, downloads)],
  ];
  const apiPath = `${new URL(config.http.publicUrl).pathname.replace(/\/$/, '')}/api`;
  return { repository, controllers, guard: linkGuard(new RateLimiter(redis), config.limits.linkMisses), page: sharePage(shares, apiPath) };
}
