import type { Database } from '@satellite/kit/db';
import type { Feeds } from '../../feeds.js';

/** Announces that what people of an organization may do has changed; called in the transaction that changes it. */
export class PolicyChanges {
  /** Transactions, by the entity manager that is theirs alone. */
  private readonly announced = new WeakSet<object>();

  constructor(
    private readonly db: Database,
    private readonly feeds: Feeds,
  ) {}

  /** Gives the organization the next number of the policy feed; answers it. Writers of the feed queue here. */
  async announce(organizationId: string): Promise<number> {
    const seq = await this.feeds.next('policy');
    await this.db.query('insert into policy_versions (organization_id, seq) values (?, ?) on conflict (organization_id) do update set seq = excluded.seq', [organizationId, seq]);
    return seq;
  }

  /** A role of the system has changed: every organization gets the number, one for all that a transaction changes. */
  async announceAll(): Promise<void> {
    if (this.announced.has(this.db.em)) return;
    this.announced.add(this.db.em);
    const seq = await this.feeds.next('policy');
    await this.db.query('insert into policy_versions (organization_id, seq) select id, ?::bigint from organizations on conflict (organization_id) do update set seq = excluded.seq', [seq]);
  }
}
