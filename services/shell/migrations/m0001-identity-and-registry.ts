import { Migration } from '@mikro-orm/migrations';

/**
 * Identity (organizations, users, roles, sessions, keys) and the app registry.
 * Registry writes take a number from `registry_state` under its row lock, so numbers become visible in their own
 * order: who has seen N has seen everything before it. The cache relies on that.
 */
export class M0001IdentityAndRegistry extends Migration {
  override up(): void {
    this.addSql(`
      create table organizations (
        id uuid primary key,
        name varchar(200) not null,
        slug varchar(63) not null constraint organizations_slug_key unique,
        type varchar(40) not null,
        status text not null default 'active' constraint organizations_status_check check (status in ('active', 'suspended')),
        domain varchar(253),
        subscription_plan varchar(40) not null,
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table users (
        id uuid primary key,
        organization_id uuid not null constraint users_organization_id_fkey references organizations (id) on delete restrict,
        email varchar(254) not null,
        username varchar(64) not null,
        first_name varchar(100) not null,
        last_name varchar(100) not null,
        password_hash varchar(100),
        status text not null default 'active' constraint users_status_check check (status in ('active', 'suspended')),
        preferences jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    // people do not remember how they wrote their address: one account per address and name, whatever the case
    this.addSql(`create unique index users_email_key on users (lower(email))`);
    this.addSql(`create unique index users_username_key on users (lower(username))`);
    this.addSql(`create index users_organization_id_index on users (organization_id)`);
    this.addSql(`
      create table roles (
        id uuid primary key,
        organization_id uuid constraint roles_organization_id_fkey references organizations (id) on delete cascade,
        name varchar(64) not null,
        description varchar(500) not null default '',
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index roles_organization_id_name_key on roles (organization_id, lower(name)) nulls not distinct`);
    this.addSql(`
      create table role_permissions (
        role_id uuid not null constraint role_permissions_role_id_fkey references roles (id) on delete cascade,
        permission varchar(128) not null,
        primary key (role_id, permission)
      )`);
    this.addSql(`
      create table user_roles (
        user_id uuid not null constraint user_roles_user_id_fkey references users (id) on delete cascade,
        role_id uuid not null constraint user_roles_role_id_fkey references roles (id) on delete cascade,
        granted_at timestamptz(3) not null,
        primary key (user_id, role_id)
      )`);
    this.addSql(`create index user_roles_role_id_index on user_roles (role_id)`);
    this.addSql(`
      create table sessions (
        id uuid primary key,
        user_id uuid not null constraint sessions_user_id_fkey references users (id) on delete cascade,
        organization_id uuid not null constraint sessions_organization_id_fkey references organizations (id) on delete cascade,
        user_agent varchar(300) not null default '',
        address varchar(64) not null default '',
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        ended_at timestamptz(3)
      )`);
    this.addSql(`create index sessions_user_id_index on sessions (user_id)`);
    this.addSql(`
      create table refresh_tokens (
        id uuid primary key,
        session_id uuid not null constraint refresh_tokens_session_id_fkey references sessions (id) on delete cascade,
        token_hash char(64) not null constraint refresh_tokens_token_hash_key unique,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      )`);
    this.addSql(`create index refresh_tokens_session_id_index on refresh_tokens (session_id)`);
    this.addSql(`
      create table signing_keys (
        id varchar(64) primary key,
        public_jwk jsonb not null,
        private_key_encrypted text not null,
        created_at timestamptz(3) not null,
        active_from timestamptz(3) not null,
        retired_at timestamptz(3)
      )`);
    this.addSql(`
      create table service_clients (
        id uuid primary key,
        client_id varchar(64) not null constraint service_clients_client_id_key unique,
        secret_hash char(64) not null,
        previous_secret_hash char(64),
        permissions text[] not null,
        status text not null default 'active' constraint service_clients_status_check check (status in ('active', 'disabled')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table apps (
        id uuid primary key,
        slug varchar(40) not null constraint apps_slug_key unique,
        name varchar(80) not null,
        type varchar(40) not null,
        api_url varchar(2048) not null,
        ui_url varchar(2048),
        icon varchar(2048),
        description varchar(500),
        category varchar(40),
        status text not null constraint apps_status_check check (status in ('active', 'inactive', 'degraded', 'maintenance')),
        metadata jsonb not null default '{}',
        app_version varchar(64),
        navigation jsonb not null default '[]',
        organizations_all boolean not null default true,
        organization_slugs text[] not null default '{}',
        managed_by text not null constraint apps_managed_by_check check (managed_by in ('operator', 'api', 'seed')),
        source_uid varchar(128),
        source_generation bigint,
        source_namespace varchar(253),
        source_name varchar(253),
        revision bigint not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index apps_revision_index on apps (revision)`);
    this.addSql(`
      create table app_permissions (
        code varchar(128) primary key,
        app_id uuid not null constraint app_permissions_app_id_fkey references apps (id) on delete cascade,
        description varchar(300) not null default ''
      )`);
    this.addSql(`create index app_permissions_app_id_index on app_permissions (app_id)`);
    this.addSql(`
      create table app_limit_keys (
        key varchar(128) primary key,
        app_id uuid not null constraint app_limit_keys_app_id_fkey references apps (id) on delete cascade,
        description varchar(300) not null default ''
      )`);
    this.addSql(`create index app_limit_keys_app_id_index on app_limit_keys (app_id)`);
    this.addSql(`
      create table app_organizations (
        app_id uuid not null constraint app_organizations_app_id_fkey references apps (id) on delete cascade,
        organization_id uuid not null constraint app_organizations_organization_id_fkey references organizations (id) on delete cascade,
        enabled boolean not null,
        updated_at timestamptz(3) not null,
        primary key (app_id, organization_id)
      )`);
    this.addSql(`create index app_organizations_organization_id_index on app_organizations (organization_id)`);
    // a removed slug keeps its number, so that a late cache write of an older one cannot bring it back
    this.addSql(`create table app_removals (slug varchar(40) primary key, revision bigint not null)`);
    this.addSql(`create table registry_state (id smallint primary key constraint registry_state_id_check check (id = 1), revision bigint not null)`);
    this.addSql(`insert into registry_state (id, revision) values (1, 0)`);
  }
}
