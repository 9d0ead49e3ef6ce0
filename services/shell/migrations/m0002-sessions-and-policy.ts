import { Migration } from '@mikro-orm/migrations';

/**
 * Sessions that rotate and end, identities at providers, password links, sign-in limits, and the two feeds
 * (policy, revocations) that every process follows. Feed numbers are taken under a row lock like those of the
 * registry: who has seen N has seen everything before it.
 */
export class M0002SessionsAndPolicy extends Migration {
  override up(): void {
    this.addSql(`create table feeds (name text primary key constraint feeds_name_check check (name in ('policy', 'revocations')), seq bigint not null)`);
    this.addSql(`insert into feeds (name, seq) values ('policy', 0), ('revocations', 0)`);
    // one row an organization: the number of the last change of its users, roles or own status
    this.addSql(`
      create table policy_versions (
        organization_id uuid primary key constraint policy_versions_organization_id_fkey references organizations (id) on delete cascade,
        seq bigint not null
      )`);
    this.addSql(`create index policy_versions_seq_index on policy_versions (seq)`);
    this.addSql(`
      create table revocations (
        seq bigint primary key,
        kind text not null constraint revocations_kind_check check (kind in ('token', 'session', 'user', 'organization')),
        subject varchar(64) not null,
        issued_before timestamptz(3) not null,
        expires_at timestamptz(3) not null
      )`);
    this.addSql(`create index revocations_expires_at_index on revocations (expires_at)`);
    this.addSql(`
      create table identities (
        id uuid primary key,
        user_id uuid not null constraint identities_user_id_fkey references users (id) on delete cascade,
        provider_id varchar(64) not null,
        issuer varchar(2048) not null,
        subject varchar(255) not null,
        created_at timestamptz(3) not null,
        constraint identities_issuer_subject_key unique (issuer, subject)
      )`);
    this.addSql(`create index identities_user_id_index on identities (user_id)`);
    this.addSql(`
      create table password_links (
        id uuid primary key,
        user_id uuid not null constraint password_links_user_id_fkey references users (id) on delete cascade,
        purpose text not null constraint password_links_purpose_check check (purpose in ('reset', 'invitation')),
        token_hash char(64) not null constraint password_links_token_hash_key unique,
        email varchar(254) not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      )`);
    this.addSql(`create index password_links_user_id_index on password_links (user_id)`);
    // key: account:<lower-case name>; counts survive Redis, so that nobody gets fresh tries by emptying a cache
    this.addSql(`
      create table sign_in_failures (
        key varchar(320) primary key,
        failures int not null,
        last_failure_at timestamptz(3) not null,
        locked_until timestamptz(3)
      )`);
    this.addSql(`alter table sessions add column last_used_at timestamptz(3) not null default now(), add column provider_id varchar(64), add column end_reason text`);
    this.addSql(`alter table refresh_tokens add column replaced_at timestamptz(3), add column successor_sealed text, drop column used_at`);
    this.addSql(`create table mail_outbox (
        id uuid primary key,
        recipient varchar(254) not null,
        subject varchar(300) not null,
        body text not null,
        attempts int not null default 0,
        next_attempt_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        sent_at timestamptz(3),
        last_error varchar(500)
      )`);
    this.addSql(`create index mail_outbox_next_attempt_at_index on mail_outbox (next_attempt_at) where sent_at is null`);
  }
}
