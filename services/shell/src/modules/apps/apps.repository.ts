import type { ListQuery, Page } from '@satellite/kit/core';
import { findPage, type Database } from '@satellite/kit/db';
import { App } from './app.entity.js';
import type { AppReportsRepository } from './app-reports.repository.js';
import type { AppLimitKey, AppPermission, DesiredApp } from './app.rules.js';
import type { RegistryEntry } from './registry-entry.js';
import type { OwnedApp } from './app-source.js';

/** A permission code or limit key that another app holds. */
export interface ForeignDeclaration {
  readonly kind: 'permission code' | 'limit key';
  readonly name: string;
  readonly owner: string;
}

interface DeclaredName extends Pick<ForeignDeclaration, 'kind' | 'name'> {
  /** The name before the first point or colon. */
  readonly root: string;
}

/** An entry as far as it decides who may report of it. */
export interface OwnedEntry {
  readonly app: OwnedApp;
  /** Of the report that is kept; null without one. */
  readonly reportDigest: string | null;
  readonly degraded: boolean;
}

interface OwnedRow extends Omit<OwnedApp, 'revision' | 'sourceGeneration'> {
  readonly revision: string;
  readonly sourceGeneration: string | null;
  readonly reportDigest: string | null;
  readonly degraded: boolean;
}

interface Declarations {
  readonly appId: string;
  readonly permissions: readonly AppPermission[];
  readonly limitKeys: readonly AppLimitKey[];
}

/** Entries of the app registry. Everything here is the platform's, not an organization's: no tenant filter applies. */
export class AppsRepository {
  constructor(
    private readonly db: Database,
    private readonly reports: AppReportsRepository,
  ) {}

  async page(query: ListQuery): Promise<Page<RegistryEntry>> {
    const page = await findPage(this.db.em, App, query, {}, 'id');
    const entries = await this.withDeclarations(page.items);
    return page.map((app) => entries.get(app.id) ?? { app, permissions: [], limitKeys: [] });
  }

  /** Entries by slug order after `after`, at most `limit`. */
  async after(after: string, limit: number, where: { slug?: string; managedBy?: string; installation?: string }): Promise<RegistryEntry[]> {
    const conditions = { slug: { $gt: after, ...(where.slug !== undefined && { $eq: where.slug }) }, ...(where.managedBy !== undefined && { managedBy: where.managedBy }), ...(where.installation !== undefined && { sourceInstallation: where.installation }) };
    const apps = await this.db.em.find(App, conditions as object, { orderBy: { slug: 'asc' }, limit });
    return [...(await this.withDeclarations(apps)).values()];
  }

  findById(id: string): Promise<RegistryEntry | undefined> {
    return this.findWhere({ id });
  }

  findBySlug(slug: string): Promise<RegistryEntry | undefined> {
    return this.findWhere({ slug });
  }

  /** Whose an entry is, and what is reported of it; for what is asked at every reconcile of every app. */
  async findOwned(slug: string): Promise<OwnedEntry | undefined> {
    const [row] = await this.db.query<OwnedRow>(
      `select a.id, a.slug, a.revision, a.managed_by as "managedBy", a.source_uid as "sourceUid", a.source_generation as "sourceGeneration", a.source_namespace as "sourceNamespace", a.source_name as "sourceName",
         a.source_installation as "sourceInstallation", a.source_deletion_policy as "sourceDeletionPolicy", a.source_step as "sourceStep", r.digest as "reportDigest", coalesce(r.degraded, false) as degraded
       from apps a left join app_reports r on r.app_id = a.id where a.slug = ?`,
      [slug],
    );
    if (!row) return undefined;
    const { reportDigest, degraded, revision, sourceGeneration, ...app } = row;
    return { app: { ...app, revision: Number(revision), sourceGeneration: sourceGeneration === null ? null : Number(sourceGeneration) }, reportDigest, degraded };
  }

  private async findWhere(where: { id: string } | { slug: string }): Promise<RegistryEntry | undefined> {
    const app = await this.db.em.findOne(App, where);
    return app ? (await this.withDeclarations([app])).get(app.id) : undefined;
  }

  private async withDeclarations(apps: readonly App[]): Promise<Map<string, RegistryEntry>> {
    const ids = apps.map((app) => app.id);
    if (ids.length === 0) return new Map();
    const reports = await this.reports.of(ids);
    const entries = new Map(apps.map((app) => [app.id, { app, permissions: [] as AppPermission[], limitKeys: [] as AppLimitKey[], report: reports.get(app.id) }]));
    const declared = await this.db.query<Declarations>(
      `select i.id as "appId",
         coalesce((select jsonb_agg(jsonb_build_object('code', p.code, 'description', p.description) order by p.code) from app_permissions p where p.app_id = i.id), '[]') as permissions,
         coalesce((select jsonb_agg(jsonb_build_object('key', l.key, 'description', l.description) order by l.key) from app_limit_keys l where l.app_id = i.id), '[]') as "limitKeys"
       from unnest(?::uuid[]) as i (id)`,
      [ids],
    );
    for (const { appId, permissions, limitKeys } of declared) {
      entries.get(appId)?.permissions.push(...permissions);
      entries.get(appId)?.limitKeys.push(...limitKeys);
    }
    return entries;
  }

  /**
   * Locks the registry and answers the number of this write, the last one if it is of several. Writers queue here, so
   * every check after it holds until the commit, and numbers become visible in their own order.
   */
  async nextRevision(writes = 1): Promise<number> {
    const [row] = await this.db.query<{ revision: string }>('update registry_state set revision = revision + ? where id = 1 returning revision', [writes]);
    return Number(row?.revision);
  }

  /** The entry was changed by this write, in something that is no field of it. */
  async touch(appId: string, revision: number): Promise<void> {
    await this.db.query('update apps set revision = ? where id = ?', [revision, appId]);
  }

  add(app: App): void {
    this.db.em.persist(app);
  }

  flush(): Promise<void> {
    return this.db.em.flush();
  }

  /** Adds what an app declares; only inside a transaction that holds the registry lock. */
  async addDeclarations(appId: string, { permissions, limitKeys }: Pick<DesiredApp, 'permissions' | 'limitKeys'>): Promise<void> {
    if (permissions.length === 0 && limitKeys.length === 0) return;
    await this.db.query(
      `with codes as (insert into app_permissions (app_id, code, description) select ?::uuid, * from unnest(?::text[], ?::text[])),
            keys as (insert into app_limit_keys (app_id, key, description) select ?::uuid, * from unnest(?::text[], ?::text[]))
       select 1`,
      [appId, permissions.map((p) => p.code), permissions.map((p) => p.description ?? ''), appId, limitKeys.map((l) => l.key), limitKeys.map((l) => l.description ?? '')],
    );
  }

  /** Takes away what an app has declared so far; likewise. */
  async removeDeclarations(appId: string): Promise<void> {
    await this.db.query('with codes as (delete from app_permissions where app_id = ?) delete from app_limit_keys where app_id = ?', [appId, appId]);
  }

  /** A declaration that clashes with one of another app: the same code or key, or one whose first name another app uses. */
  async foreignDeclaration(slug: string, desired: Pick<DesiredApp, 'permissions' | 'limitKeys'>): Promise<ForeignDeclaration | undefined> {
    const named = (kind: ForeignDeclaration['kind'], name: string): DeclaredName => ({ kind, name, root: name.split(/[.:]/, 1)[0] ?? '' });
    const names = [...desired.permissions.map(({ code }) => named('permission code', code)), ...desired.limitKeys.map(({ key }) => named('limit key', key))];
    if (names.length === 0) return undefined;
    // by indexes only: a write holds the lock that all of them want
    const [same] = await this.db.query<ForeignDeclaration>(
      `select 'permission code' as kind, p.code as name, a.slug as owner from app_permissions p join apps a on a.id = p.app_id where p.code = any(?::text[]) and a.slug <> ?
       union all select 'limit key', l.key, a.slug from app_limit_keys l join apps a on a.id = l.app_id where l.key = any(?::text[]) and a.slug <> ? order by name limit 1`,
      [desired.permissions.map((p) => p.code), slug, desired.limitKeys.map((l) => l.key), slug],
    );
    const others = names.filter(({ root }) => root !== slug);
    return same ?? (others.length === 0 ? undefined : this.foreignRoot(slug, others));
  }

  /** Of names that do not begin with the app's own slug, one whose beginning belongs to another app. */
  private async foreignRoot(slug: string, names: readonly DeclaredName[]): Promise<ForeignDeclaration | undefined> {
    const [foreign] = await this.db.query<ForeignDeclaration>(
      `select w.kind, w.name, min(t.slug) as owner
       from unnest(?::text[], ?::text[], ?::text[]) as w (kind, name, root) cross join lateral (
         select a.slug from app_permissions p join apps a on a.id = p.app_id where split_part(split_part(p.code, ':', 1), '.', 1) = w.root
         union all select a.slug from app_limit_keys l join apps a on a.id = l.app_id where split_part(l.key, '.', 1) = w.root
         union all select a.slug from apps a where a.slug = w.root) t
       where t.slug <> ? group by w.kind, w.name order by w.name limit 1`,
      [names.map(({ kind }) => kind), names.map(({ name }) => name), names.map(({ root }) => root), slug],
    );
    return foreign;
  }

  async remove(app: App, revision: number): Promise<void> {
    await this.db.query('delete from apps where id = ?', [app.id]);
    await this.db.query('insert into app_removals (slug, revision) values (?, ?) on conflict (slug) do update set revision = excluded.revision, removed_at = now()', [app.slug, revision]);
  }

  /** Forgets old removals, and writes down up to which; answers how many. The row of the registry is locked, so nobody reads one without the other. */
  async forgetRemovals(): Promise<number> {
    return this.db.run(async () => {
      await this.db.query('select from registry_state where id = 1 for update');
      const forgotten = await this.db.query<{ revision: string }>(`delete from app_removals where removed_at < now() - interval '30 days' returning revision`);
      if (forgotten.length > 0) await this.db.query('update registry_state set forgotten_up_to = greatest(forgotten_up_to, ?) where id = 1', [Math.max(...forgotten.map(({ revision }) => Number(revision)))]);
      return forgotten.length;
    });
  }
}
