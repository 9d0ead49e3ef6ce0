import { Migration } from '@mikro-orm/migrations';

/**
 * The audit trail: entries in one chain of hashes for each organization and one for the platform, and a row for each
 * chain that says where it begins and ends. Triggers keep mistakes and curious hands away; what is changed past them
 * is found by verifying (see the Shell's README).
 */
export class M0007Audit extends Migration {
  override up(): void {
    // no foreign keys: entries outlive whatever they are about
    this.addSql(`
      create table audit_entries (
        chain_id uuid not null,
        seq bigint not null,
        id uuid not null,
        organization_id uuid,
        at timestamptz(3) not null,
        actor_kind text not null constraint audit_entries_actor_kind_check check (actor_kind in ('user', 'service', 'operator', 'anonymous', 'system')),
        actor_id text,
        actor_name text,
        act text,
        address text,
        request_id text,
        action text not null,
        target_type text,
        target_id text,
        outcome text not null constraint audit_entries_outcome_check check (outcome in ('success', 'refused')),
        reason text,
        occurrences int not null constraint audit_entries_occurrences_check check (occurrences > 0),
        before jsonb,
        after jsonb,
        hash char(64) not null,
        primary key (chain_id, seq)
      )`);
    this.addSql(`create index audit_entries_organization_id_at_index on audit_entries (organization_id, at desc, id)`);
    this.addSql(`create index audit_entries_at_index on audit_entries (at desc, id)`);
    this.addSql(`create index audit_entries_actor_id_index on audit_entries (actor_id, at desc)`);
    this.addSql(`create index audit_entries_target_id_index on audit_entries (target_id, at desc)`);
    // half-empty pages: each end is updated in place, again and again
    this.addSql(`
      create table audit_chains (
        id uuid primary key,
        base_seq bigint not null,
        base_hash char(64) not null,
        seq bigint not null,
        hash char(64) not null,
        chains int not null,
        seal char(64) not null
      ) with (fillfactor = 50)`);
    this.triggers();
  }

  private triggers(): void {
    // entries go by age only, and the transaction that removes them has to say so
    this.addSql(`
      create function refuse_audit_change() returns trigger language plpgsql as $function$
      begin
        if tg_op = 'DELETE' and tg_table_name = 'audit_entries' and current_setting('shell.audit_retention', true) = 'on' then return old; end if;
        raise exception 'the audit trail is never changed (% on %)', tg_op, tg_table_name using errcode = 'insufficient_privilege';
      end $function$`);
    this.addSql(`create trigger audit_entries_kept before update or delete on audit_entries for each row execute function refuse_audit_change()`);
    this.addSql(`create trigger audit_entries_not_truncated before truncate on audit_entries for each statement execute function refuse_audit_change()`);
    this.addSql(`create trigger audit_chains_kept before delete on audit_chains for each row execute function refuse_audit_change()`);
    this.addSql(`create trigger audit_chains_not_truncated before truncate on audit_chains for each statement execute function refuse_audit_change()`);
  }
}
