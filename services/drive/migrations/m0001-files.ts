import { Migration } from '@mikro-orm/migrations';
import { OUTBOX_INDEX, OUTBOX_TABLE } from '@satellite/kit/events';
import { DELIVERY_COLUMNS, SCHEDULED_JOBS_TABLE } from '@satellite/kit/jobs';

/**
 * People, folders, files and share links of organizations. References between them carry the organization, so that no
 * row can point into another one. Bytes are in the object store: `uploads` names every object before its first byte is
 * written, `files` the ones that count, `object_removals` those that have to go.
 */
export class M0001Files extends Migration {
  override up(): void {
    this.people();
    this.tree();
    this.objects();
    this.shares();
    this.events();
  }

  private people(): void {
    this.addSql(`
      create table users (
        id uuid primary key,
        organization_id uuid not null,
        shell_user_id uuid,
        email varchar(254) not null,
        name varchar(200),
        status text not null default 'active' constraint users_status_check check (status in ('active', 'suspended')),
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint users_organization_id_id_key unique (organization_id, id),
        constraint users_shell_user_id_key unique (organization_id, shell_user_id)
      )`);
    // an invitation is claimed by the first person of that address; afterwards the person counts, not the address
    this.addSql(`create unique index users_invitation_key on users (organization_id, lower(email)) where shell_user_id is null`);
    this.addSql(`
      create table user_roles (
        organization_id uuid not null,
        user_id uuid not null,
        role_id text not null constraint user_roles_role_id_check check (role_id in ('admin', 'editor', 'viewer')),
        granted_at timestamptz(3) not null,
        primary key (user_id, role_id),
        constraint user_roles_user_id_fkey foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
      )`);
    this.addSql(`create index user_roles_admin_index on user_roles (organization_id) where role_id = 'admin'`);
  }

  private tree(): void {
    this.addSql(`
      create table folders (
        id uuid primary key,
        organization_id uuid not null,
        parent_id uuid,
        name varchar(255) not null,
        created_by uuid not null,
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint folders_organization_id_id_key unique (organization_id, id),
        constraint folders_name_key unique nulls not distinct (organization_id, parent_id, name),
        constraint folders_parent_id_fkey foreign key (organization_id, parent_id) references folders (organization_id, id),
        constraint folders_created_by_fkey foreign key (organization_id, created_by) references users (organization_id, id)
      )`);
    this.addSql(`
      create table files (
        id uuid primary key,
        organization_id uuid not null,
        folder_id uuid,
        name varchar(255) not null,
        size bigint not null,
        content_type varchar(200) not null,
        checksum char(64) not null,
        object_key varchar(200) not null constraint files_object_key_key unique,
        counted boolean not null,
        counted_until timestamptz(3),
        created_by uuid not null,
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint files_organization_id_id_key unique (organization_id, id),
        constraint files_name_key unique nulls not distinct (organization_id, folder_id, name),
        constraint files_folder_id_fkey foreign key (organization_id, folder_id) references folders (organization_id, id),
        constraint files_created_by_fkey foreign key (organization_id, created_by) references users (organization_id, id)
      )`);
    this.addSql(`create index files_listing_index on files (organization_id, name, id)`);
    this.addSql(`create index files_folder_listing_index on files (organization_id, folder_id, name, id)`);
  }

  private objects(): void {
    this.addSql(`
      create table uploads (
        object_key varchar(200) primary key,
        organization_id uuid not null,
        begun_at timestamptz(3) not null
      )`);
    this.addSql(`create index uploads_begun_at_index on uploads (begun_at)`);
    this.addSql(`
      create table object_removals (
        id uuid primary key,
        organization_id uuid not null,
        object_key varchar(200) not null,
        kind text not null constraint object_removals_kind_check check (kind in ('upload', 'file')),
        counted_bytes bigint not null default 0,
        counted_until timestamptz(3),
        created_at timestamptz(3) not null default clock_timestamp(),
        ${DELIVERY_COLUMNS}
      )`);
    this.addSql(`create index object_removals_due_index on object_removals (next_attempt_at) where status = 'pending'`);
    this.addSql(`create index object_removals_object_key_index on object_removals (object_key)`);
    // what a scan has seen in the store; of one scan at a time, and worth nothing after it
    this.addSql(`create unlogged table scanned_objects (object_key varchar(200) primary key)`);
    this.addSql(SCHEDULED_JOBS_TABLE);
  }

  private shares(): void {
    this.addSql(`
      create table share_links (
        id uuid primary key,
        organization_id uuid not null,
        file_id uuid not null,
        token_hash char(64) not null constraint share_links_token_hash_key unique,
        created_by uuid not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        revoked_at timestamptz(3),
        constraint share_links_file_id_fkey foreign key (organization_id, file_id) references files (organization_id, id) on delete cascade,
        constraint share_links_created_by_fkey foreign key (organization_id, created_by) references users (organization_id, id)
      )`);
    this.addSql(`create index share_links_file_id_index on share_links (organization_id, file_id)`);
  }

  private events(): void {
    this.addSql(OUTBOX_TABLE);
    this.addSql(OUTBOX_INDEX);
    this.addSql(`
      create table audit_entries (
        id uuid primary key,
        organization_id uuid not null,
        at timestamptz(3) not null,
        actor_id uuid,
        actor_name varchar(254) not null,
        action varchar(64) not null,
        subject_id uuid,
        subject_name varchar(255),
        details jsonb not null default '{}',
        request_id varchar(64)
      )`);
    this.addSql(`create index audit_entries_at_index on audit_entries (organization_id, at desc, id)`);
  }
}
