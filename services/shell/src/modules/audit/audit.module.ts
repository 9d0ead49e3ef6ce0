import type { Database } from '@satellite/kit/db';
import type { OpenApiDocument } from '@satellite/kit/http';
import type { Job } from '@satellite/kit/jobs';
import type { Background, ControllerEntry, Parts } from '../../parts.js';
import { auditAnchors } from './anchors.js';
import { AuditChainsRepository } from './audit-chains.repository.js';
import { AuditController } from './audit.controller.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditSeal } from './audit-seal.js';
import { AuditService } from './audit.service.js';
import { AuditTrail } from './audit-trail.js';
import { AuditVerification } from './audit-verification.js';
import { AuditVerificationRepository } from './audit-verification.repository.js';
import { auditRetention } from './retention.js';
import { RefusalLog } from './refusal-log.js';
import { RefusalWatch } from './refusals.http.js';

/** What modules are built from whose changes are recorded. */
export interface AuditedParts extends Parts {
  readonly audit: AuditTrail;
}

/** The audit trail of one Shell. */
export function buildAudit({ db, config, logger }: Parts, openapi: OpenApiDocument) {
  const seal = new AuditSeal(config.tokens.keyEncryptionKey);
  const chains = new AuditChainsRepository(db, seal);
  const trail = new AuditTrail({ db, chains, seal, operatorClientIds: [config.seed.operator, ...config.seed.installations].map(({ clientId }) => clientId), logger });
  const refusals = new RefusalLog(trail, logger);
  const service = new AuditService(new AuditEntriesRepository(db), refusals);
  const controllers: ControllerEntry[] = [[AuditController, () => new AuditController(service)]];
  const background: Background[] = [refusals];
  const { retentionDays: days } = config.audit;
  const jobs: Job[] = [auditAnchors(db, chains, trail), ...(days === 0 ? [] : [auditRetention({ db, chains, audit: trail, days })])];
  return { trail, watch: new RefusalWatch(openapi, refusals), controllers, background, jobs };
}

/** For the command that verifies the trail beside Shells that run. */
export function auditVerification(db: Database, keyEncryptionKey: Buffer): AuditVerification {
  return new AuditVerification(db, new AuditVerificationRepository(db), new AuditSeal(keyEncryptionKey));
}
