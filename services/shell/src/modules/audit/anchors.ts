import type { Database } from '@satellite/kit/db';
import type { Job } from '@satellite/kit/jobs';
import type { AuditChainsRepository } from './audit-chains.repository.js';
import { PLATFORM_CHAIN } from './audit-seal.js';
import type { AuditTrail } from './audit-trail.js';
import { snapshot } from './audit.fields.js';

/** Of one entry; it has to stay readable. */
const CHAINS = 100;

/**
 * Writes into the platform's chain where the chains of organizations end, so that none can be set back behind that
 * together with its own row.
 */
export function auditAnchors(db: Database, chains: AuditChainsRepository, audit: AuditTrail): Job {
  const anchorSome = (): Promise<number> =>
    db.run(async () => {
      const grown = await chains.unanchored(CHAINS);
      if (grown.length === 0) return 0;
      const heads = Object.fromEntries(grown.map(({ id, seq, hash }) => [id, `${seq} ${hash}`]));
      await chains.anchored(grown);
      await audit.record({ action: 'audit.anchor', organizationId: null, target: { type: 'audit_chain', id: PLATFORM_CHAIN }, after: snapshot('audit_chain', { heads }) });
      return grown.length;
    });
  return {
    name: 'audit.anchors',
    schedule: '*/5 * * * *',
    run: async ({ signal }) => {
      let anchored = 0;
      for (let last = CHAINS; last === CHAINS && !signal.aborted; anchored += last) last = await anchorSome();
      return anchored;
    },
  };
}
