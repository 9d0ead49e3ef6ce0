import type { Database } from '@satellite/kit/db';
import type { Job } from '@satellite/kit/jobs';
import type { AuditChainsRepository } from './audit-chains.repository.js';
import { PLATFORM_CHAIN } from './audit-seal.js';
import type { AuditTrail } from './audit-trail.js';
import { snapshot } from './audit.fields.js';

export interface AuditRetentionDeps {
  readonly db: Database;
  readonly chains: AuditChainsRepository;
  readonly audit: AuditTrail;
  readonly days: number;
}

const CHAINS = 100;
/** Entries of one transaction: few enough that the organization's next entry does not wait long. */
const BATCH = 2000;

/** Removes entries when they are old enough, the oldest of each chain first; what is left verifies from a sealed checkpoint. */
export function auditRetention({ db, chains, audit, days }: AuditRetentionDeps): Job {
  const shortened = (id: string, cutoff: Date): Promise<number> =>
    db.run(async () => {
      const chain = (await chains.lock([id])).get(id);
      const removed = chain === undefined ? 0 : await chains.removeBefore(chain, cutoff, BATCH);
      const after = snapshot('audit_chain', { removedUpTo: (chain?.baseSeq ?? 0) + removed });
      if (removed > 0) await audit.record({ action: 'audit.prune', organizationId: id === PLATFORM_CHAIN ? null : id, target: { type: 'audit_chain', id }, after });
      return removed;
    });
  return {
    name: 'audit.retention',
    schedule: '17 3 * * *',
    run: async ({ signal }) => {
      const cutoff = new Date(Date.now() - days * 86_400_000);
      let removed = 0;
      for (let more = true; more && !signal.aborted; ) {
        const round = await chains.withEntriesBefore(cutoff, CHAINS);
        let gone = 0;
        for (const id of round) if (!signal.aborted) gone += await shortened(id, cutoff);
        more = gone > 0;
        removed += gone;
      }
      return removed;
    },
  };
}
