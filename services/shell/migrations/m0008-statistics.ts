import { Migration } from '@mikro-orm/migrations';

/** Sign-ins by day are read from the audit trail, of which they are a small part: an index of that part alone, for the whole platform. */
export class M0008Statistics extends Migration {
  override up(): void {
    this.addSql(`create index audit_entries_sign_ins_index on audit_entries (at) include (organization_id, outcome, occurrences, actor_id) where action in ('auth.sign_in', 'auth.provider_sign_in')`);
  }
}
