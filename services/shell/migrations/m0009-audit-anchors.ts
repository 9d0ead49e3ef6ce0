import { Migration } from '@mikro-orm/migrations';

/** Up to which entry each chain of the audit trail has been anchored in the platform's chain. */
export class M0009AuditAnchors extends Migration {
  override up(): void {
    this.addSql(`alter table audit_chains add column anchored_seq bigint not null default 0`);
  }
}
