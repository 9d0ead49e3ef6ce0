import type { Database } from '@satellite/kit/db';
import { GENESIS, PLATFORM_CHAIN, type Addition, type AuditSeal, type ChainEnd, type ChainState } from './audit-seal.js';

/** Where a chain begins and ends. */
export const CHAIN = `select id, base_seq::float8 as "baseSeq", base_hash as "baseHash", seq::float8 as seq, hash, chains, seal from audit_chains`;

/** One statement for the new ends of chains and the entries that lead there; nothing happens to a chain that does not end where it was expected to. */
const APPEND = `
with ends as (
  update audit_chains c set seq = n.seq, hash = n.hash, seal = n.seal
  from jsonb_to_recordset(?::jsonb) as n (id uuid, seq bigint, hash text, seal text, expected text) where c.id = n.id and c.seal = n.expected returning c.id)
insert into audit_entries (chain_id, seq, id, organization_id, at, actor_kind, actor_id, actor_name, act, address, request_id, action, target_type, target_id, outcome, reason, occurrences, before, after, hash)
select "chainId", e.seq, e.id, "organizationId", at, "actorKind", "actorId", "actorName", act, address, "requestId", action, "targetType", "targetId", outcome, reason, occurrences, before, after, hash
from ends join jsonb_to_recordset(?::jsonb) as e (
  "chainId" uuid, seq bigint, id uuid, "organizationId" uuid, at timestamptz, "actorKind" text, "actorId" text, "actorName" text, act text, address text, "requestId" text, action text,
  "targetType" text, "targetId" text, outcome text, reason text, occurrences int, before jsonb, after jsonb, hash text) on "chainId" = ends.id
returning 1`;

/** The ends of chains, and the only way to add entries. */
export class AuditChainsRepository {
  constructor(
    private readonly db: Database,
    private readonly seal: AuditSeal,
  ) {}

  /** The chains with these ids, made where they are new, locked until the running transaction ends; always in the same order. */
  async lock(ids: readonly string[]): Promise<Map<string, ChainEnd>> {
    const wanted = [...new Set(ids)].sort();
    const found = await this.lockKnown(wanted);
    if (found.size === wanted.length) return found;
    await this.begin(wanted.filter((id) => !found.has(id)));
    return this.lockKnown([...wanted, PLATFORM_CHAIN]);
  }

  private async lockKnown(ids: readonly string[]): Promise<Map<string, ChainEnd>> {
    const rows = await this.db.query<ChainEnd>(`${CHAIN} where id = any(?::uuid[]) order by id for update`, [[...ids]]);
    return new Map(rows.map((chain) => [chain.id, chain]));
  }

  /** The platform's row counts the chains, so that none can disappear with all it holds. */
  private async begin(ids: readonly string[]): Promise<void> {
    const made = await this.db.query<{ id: string }>(
      `insert into audit_chains (id, base_seq, base_hash, seq, hash, chains, seal) select id, 0, ?::text, 0, ?::text, 0, seal from unnest(?::uuid[], ?::text[]) as n (id, seal) order by id on conflict (id) do nothing returning id`,
      [GENESIS, GENESIS, [...ids], ids.map((id) => this.seal.sealOf(fresh(id)))],
    );
    if (made.length > 0) await this.count(made.length);
  }

  private async count(more: number): Promise<void> {
    const platform = (await this.lockKnown([PLATFORM_CHAIN])).get(PLATFORM_CHAIN);
    if (platform === undefined) return this.begin([PLATFORM_CHAIN]).then(() => this.count(more));
    const { id, chains, seal } = this.seal.resealed(platform, { ...platform, chains: platform.chains + more });
    await this.db.query('update audit_chains set chains = ?, seal = ? where id = ?', [chains, seal, id]);
  }

  /** Adds entries; says whether all the chains ended where they were expected to. They do when they are locked. */
  async write(additions: readonly Addition[]): Promise<boolean> {
    const ends = additions.map(({ from, to: { id, seq, hash, seal } }) => ({ id, seq, hash, seal, expected: from.seal }));
    const entries = additions.flatMap((addition) => addition.entries);
    return (await this.db.query(APPEND, [JSON.stringify(ends), JSON.stringify(entries)])).length === entries.length;
  }

  /** Chains of organizations that have grown since they were last anchored, at most `limit`. */
  unanchored(limit: number): Promise<ChainEnd[]> {
    return this.db.query<ChainEnd>(`${CHAIN} where anchored_seq < seq and id <> ?::uuid order by id limit ?`, [PLATFORM_CHAIN, limit]);
  }

  /** Says up to where chains are anchored. */
  async anchored(ends: readonly ChainState[]): Promise<void> {
    await this.db.query('update audit_chains c set anchored_seq = n.seq from unnest(?::uuid[], ?::bigint[]) as n (id, seq) where c.id = n.id', [ends.map(({ id }) => id), ends.map(({ seq }) => seq)]);
  }

  /** Chains that begin with an entry from before `cutoff`, at most `limit`; not those that hold nothing but the word that all else is gone. */
  async withEntriesBefore(cutoff: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>('select c.id from audit_chains c join audit_entries e on e.chain_id = c.id and e.seq = c.base_seq + 1 where e.at < ? and not (e.action = \'audit.prune\' and e.seq = c.seq) order by c.id limit ?', [cutoff, limit]);
    return rows.map(({ id }) => id);
  }

  /**
   * Removes the first entries of a locked chain, at most `limit`, as long as they are from before `cutoff`; the last
   * one of them becomes the checkpoint from which the chain is verified. Answers how many went.
   */
  async removeBefore(chain: ChainEnd, cutoff: Date, limit: number): Promise<number> {
    const [last] = await this.db.query<{ seq: number; hash: string }>(
      `select e.seq::float8 as seq, e.hash from audit_entries e where e.chain_id = ?
       and e.seq = least(coalesce((select min(k.seq) from (select seq, at from audit_entries where chain_id = ? and seq > ? order by seq limit ?) k where k.at >= ?) - 1, ?::bigint), ?::bigint)`,
      [chain.id, chain.id, chain.baseSeq, limit, cutoff, chain.baseSeq + limit, chain.seq],
    );
    if (last === undefined || last.seq <= chain.baseSeq) return 0;
    await this.db.query(`select set_config('shell.audit_retention', 'on', true)`);
    await this.db.query('delete from audit_entries where chain_id = ? and seq <= ?', [chain.id, last.seq]);
    await this.db.query(`select set_config('shell.audit_retention', 'off', true)`);
    const { baseSeq, baseHash, seal } = this.seal.resealed(chain, { ...chain, baseSeq: last.seq, baseHash: last.hash });
    await this.db.query('update audit_chains set base_seq = ?, base_hash = ?, seal = ? where id = ?', [baseSeq, baseHash, seal, chain.id]);
    return last.seq - chain.baseSeq;
  }
}

function fresh(id: string): ChainState {
  return { id, baseSeq: 0, baseHash: GENESIS, seq: 0, hash: GENESIS, chains: 0 };
}
