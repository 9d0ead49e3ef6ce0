import type { Database } from '@satellite/kit/db';

/** Announces that what people of an organization may do has changed; called in the transaction that changes it. */
export class PolicyChanges {
  constructor(private readonly db: Database) {}

  /** Gives the organization the next number of the policy feed; answers it. Writers of the feed queue here. */
  async announce(organizationId: string): Promise<number> {
    const [feed] = await this.db.query<{ seq: string }>(`update feeds set seq = seq + 1 where name = 'policy' returning seq`);
    const seq = Number(feed?.seq);
    await this.db.query('insert into policy_versions (organization_id, seq) values (?, ?) on conflict (organization_id) do update set seq = excluded.seq', [organizationId, seq]);
    return seq;
  }
}
