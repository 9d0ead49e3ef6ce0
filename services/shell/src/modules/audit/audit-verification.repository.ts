import type { Database } from '@satellite/kit/db';
import { CHAIN } from './audit-chains.repository.js';
import type { ChainEnd, SealedEntry } from './audit-seal.js';

const ENTRY = `
select chain_id as "chainId", seq::float8 as seq, id, organization_id as "organizationId", at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", act, address, request_id as "requestId",
  action, target_type as "targetType", target_id as "targetId", outcome, reason, occurrences, before, after, hash
from audit_entries`;

/** Reads the whole trail, page by page. */
export class AuditVerificationRepository {
  constructor(private readonly db: Database) {}

  /** Chains by id, with the seals that their rows bear. */
  chainsAfter(id: string, limit: number): Promise<ChainEnd[]> {
    return this.db.query<ChainEnd>(`${CHAIN} where id > ?::uuid order by id limit ?`, [id, limit]);
  }

  async chain(id: string): Promise<ChainEnd | undefined> {
    const [row] = await this.db.query<ChainEnd>(`${CHAIN} where id = ?`, [id]);
    return row;
  }

  async countChains(): Promise<number> {
    const [row] = await this.db.query<{ count: string }>('select count(*) from audit_chains');
    return Number(row?.count);
  }

  async entriesAfter(chainId: string, seq: number, limit: number): Promise<SealedEntry[]> {
    const rows = await this.db.query<SealedEntry>(`${ENTRY} where chain_id = ? and seq > ? order by seq limit ?`, [chainId, seq, limit]);
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
  }

  /** A chain between these two that has entries but no row. */
  async strayBetween(after: string, before: string | undefined): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>('select chain_id as id from audit_entries where chain_id > ?::uuid and (?::uuid is null or chain_id < ?::uuid) order by chain_id limit 1', [after, before ?? null, before ?? null]);
    return row?.id;
  }
}
