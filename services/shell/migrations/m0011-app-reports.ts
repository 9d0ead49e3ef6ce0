import { Migration } from '@mikro-orm/migrations';

/** What the operator reports of apps, what their API is compared with, and whose objects stand behind entries. */
export class M0011AppReports extends Migration {
  override up(): void {
    this.addSql(`alter table apps add column source_installation varchar(128), add column source_deletion_policy text constraint apps_source_deletion_policy_check check (source_deletion_policy in ('Delete', 'Orphan'))`);
    this.addSql(`
      create table app_reports (
        app_id uuid primary key constraint app_reports_app_id_fkey references apps (id) on delete cascade,
        digest varchar(128) not null,
        conditions jsonb not null,
        observed_generation bigint not null,
        observed_version varchar(64),
        degraded boolean not null,
        degraded_since timestamptz(3),
        reported_at timestamptz(3) not null
      )`);
    // beside the report, since it is larger and read only when an API changes
    this.addSql(`
      create table app_api_baselines (
        app_id uuid primary key constraint app_api_baselines_app_id_fkey references apps (id) on delete cascade,
        digest varchar(128) not null,
        app_version varchar(64),
        content bytea not null,
        kept_at timestamptz(3) not null
      )`);
  }
}
