import type { Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import type { AppStatus, NavigationItem, UiCanary } from './app.entity.js';

/** What the launchpad needs of an entry; stored in the cache as JSON. */
export interface CachedApp {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly uiUrl: string | null;
  readonly apiUrl: string;
  readonly icon: string | null;
  readonly description: string | null;
  readonly category: string | null;
  readonly status: AppStatus;
  /** The operator reports that its probes fail. */
  readonly degraded: boolean;
  readonly version: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly navigation: readonly NavigationItem[];
  readonly permissions: readonly string[];
  readonly organizationsAll: boolean;
  readonly organizationSlugs: readonly string[];
  readonly organizationPercent: number;
  readonly uiCanary: Readonly<UiCanary> | null;
}

/** All entries as of one registry revision. */
export interface RegistrySnapshot {
  readonly revision: number;
  readonly apps: readonly CachedApp[];
}

interface ChangedRow {
  readonly registryRevision: string;
  readonly forgottenUpTo: string;
  readonly slug: string | null;
  readonly revision: string | null;
  /** null = the slug was removed. */
  readonly app: CachedApp | null;
}

/**
 * One hash holds it all, so that losing the key loses it whole: field `revision` and a field `app:<slug>` an entry.
 * The number changes with the fields of an entry: while a Shell is upgraded, the old processes must not write entries
 * that lack what the new ones look for.
 */
export const REGISTRY_CACHE_KEY = 'shell:registry:2';
/** Published after every write that changes what organizations see, their switches and plans included; the message is the revision. */
export const REGISTRY_CHANNEL = 'shell:registry:changed';

/**
 * Merges entries into the hash. An entry is replaced only by a newer one, removals stay as `<revision>:` without
 * JSON, and the hash's revision only grows: whatever the order in which writers arrive, revision N means that
 * every change up to N is in it.
 */
const MERGE = `
local upTo = tonumber(ARGV[1])
for i = 2, #ARGV, 3 do
  local field = 'app:' .. ARGV[i]
  local stored = redis.call('HGET', KEYS[1], field)
  if not stored or tonumber(string.match(stored, '^%d+')) < tonumber(ARGV[i + 1]) then
    redis.call('HSET', KEYS[1], field, ARGV[i + 1] .. ':' .. ARGV[i + 2])
  end
end
local known = tonumber(redis.call('HGET', KEYS[1], 'revision') or '-1')
if upTo > known then redis.call('HSET', KEYS[1], 'revision', ARGV[1]) known = upTo end
return known`;

/** A registry's worth of arguments in one script call would hit Lua's stack; this many entries go at once. */
const MERGE_CHUNK = 500;

const CHANGED_SINCE = `
select s.revision as "registryRevision", s.forgotten_up_to as "forgottenUpTo", c.slug, c.revision, c.app
from registry_state s left join lateral (
  select a.slug, a.revision, jsonb_build_object(
    'id', a.id, 'slug', a.slug, 'name', a.name, 'type', a.type, 'uiUrl', a.ui_url, 'apiUrl', a.api_url, 'icon', a.icon,
    'description', a.description, 'category', a.category, 'status', a.status,
    'degraded', exists (select from app_reports r where r.app_id = a.id and r.degraded), 'version', a.app_version, 'metadata', a.metadata,
    'navigation', a.navigation, 'organizationsAll', a.organizations_all, 'organizationSlugs', to_jsonb(a.organization_slugs),
    'organizationPercent', a.organization_percent, 'uiCanary', a.ui_canary,
    'permissions', coalesce((select jsonb_agg(p.code order by p.code) from app_permissions p where p.app_id = a.id), '[]')) as app
  from apps a where a.revision > ?
  union all select r.slug, r.revision, null from app_removals r where r.revision > ?
) c on true
where s.id = 1`;

/** The registry in Redis: written after every commit, healed from the database, never the truth. */
export class RegistryCache {
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;
  private readonly listeners: ((revision: number) => void)[] = [];

  constructor(
    private readonly db: Database,
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {}

  /** Calls `listener` with the revision of every write of this process, before the cache is touched. */
  onWrite(listener: (revision: number) => void): void {
    this.listeners.push(listener);
  }

  /** A write with this revision was committed: readers of this process see it at once, the cache follows. */
  async written(revision: number): Promise<number> {
    for (const listener of this.listeners) listener(revision);
    return this.catchUp();
  }

  /** The registry's revision by the database. */
  async registryRevision(): Promise<number> {
    const [row] = await this.db.query<{ revision: string }>('select revision from registry_state where id = 1');
    return Number(row?.revision ?? 0);
  }

  /** Highest revision up to which the cache is complete; 0 when it is empty or away. */
  async cachedRevision(): Promise<number> {
    const text = await this.redis.hget(REGISTRY_CACHE_KEY, 'revision').catch(() => null);
    return Number(text ?? 0);
  }

  /** Revision that each of these slugs has in the cache; 0 = not there. */
  async cachedRevisionsOf(slugs: readonly string[]): Promise<Map<string, number>> {
    if (slugs.length === 0) return new Map();
    const values = await this.redis.hmget(REGISTRY_CACHE_KEY, ...slugs.map((slug) => `app:${slug}`)).catch(() => []);
    return new Map(slugs.map((slug, index) => [slug, revisionOf(values[index] ?? '')]));
  }

  /**
   * What the cache knows of an entry with this revision: up to which revision the cache is complete (0: empty or away),
   * and whether it vouches for the entry and has lost it.
   */
  async stateOf(slug: string, revision: number): Promise<{ readonly cachedRevision: number; readonly lost: boolean }> {
    const [upTo, entry] = await this.redis.hmget(REGISTRY_CACHE_KEY, 'revision', `app:${slug}`).catch(() => []);
    const cachedRevision = Number(upTo ?? 0);
    return { cachedRevision, lost: cachedRevision >= revision && revisionOf(entry ?? '') < revision };
  }

  /** The next write makes it anew. */
  async drop(): Promise<void> {
    await this.redis.del(REGISTRY_CACHE_KEY);
  }

  /**
   * Brings the cache up to the database and tells every process. Answers the cached revision, 0 when Redis is away.
   * Calls that arrive while one runs share the next run, which reads the database after they arrived.
   */
  catchUp(): Promise<number> {
    if (this.running === undefined) {
      this.running = this.merge().finally(() => (this.running = undefined));
      return this.running;
    }
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.catchUp();
    });
    return this.next;
  }

  private async merge(): Promise<number> {
    try {
      const stored = await this.redis.hget(REGISTRY_CACHE_KEY, 'revision');
      let since = Number(stored ?? -1);
      let changed = await this.changedSince(since);
      if (stored !== null && (since > changed.revision || since < changed.forgottenUpTo)) {
        // restored from a backup: of the database, then what the cache says about later writes is void; of the cache, then removals that it lacks are known to nobody any more
        this.logger.warn({ cached: since, registry: changed.revision, forgottenUpTo: changed.forgottenUpTo }, 'cache and registry are of different times; rebuilding the cache');
        await this.redis.del(REGISTRY_CACHE_KEY);
        since = -1;
        changed = await this.changedSince(since);
      }
      const { revision, changes } = changed;
      const cached = await this.write(revision, changes);
      if (revision > since) await this.redis.publish(REGISTRY_CHANNEL, String(revision));
      return cached;
    } catch (error) {
      this.logger.warn({ error: messageOf(error) }, 'the registry cache could not be written; readers use the database');
      return 0;
    }
  }

  private async write(revision: number, changes: readonly ChangedRow[]): Promise<number> {
    for (let start = 0; start + MERGE_CHUNK < changes.length; start += MERGE_CHUNK) await this.mergeChunk(-1, changes.slice(start, start + MERGE_CHUNK));
    const rest = changes.length === 0 ? 0 : Math.floor((changes.length - 1) / MERGE_CHUNK) * MERGE_CHUNK;
    return this.mergeChunk(revision, changes.slice(rest)); // the revision last: it vouches for all of them
  }

  private async mergeChunk(revision: number, changes: readonly ChangedRow[]): Promise<number> {
    const entries = changes.flatMap((row) => [row.slug ?? '', row.revision ?? '0', row.app ? JSON.stringify(row.app) : '']);
    return Number(await this.redis.eval(MERGE, 1, REGISTRY_CACHE_KEY, String(revision), ...entries));
  }

  /** All entries, from the cache when it knows `atLeast`, else from the database. */
  async snapshot(atLeast: number): Promise<RegistrySnapshot> {
    const cached = await this.cachedSnapshot().catch(() => undefined);
    if (cached && cached.revision >= atLeast) return cached;
    const { revision, changes } = await this.changedSince(-1);
    return { revision, apps: changes.flatMap((row) => (row.app ? [row.app] : [])) };
  }

  private async cachedSnapshot(): Promise<RegistrySnapshot | undefined> {
    const hash = await this.redis.hgetall(REGISTRY_CACHE_KEY);
    if (hash['revision'] === undefined) return undefined;
    const apps = Object.entries(hash).flatMap(([field, value]) => {
      const app = field.startsWith('app:') ? appOf(value) : undefined;
      return app ? [app] : [];
    });
    return { revision: Number(hash['revision']), apps };
  }

  /** One statement, so that the revision and the rows are of one moment. */
  private async changedSince(revision: number): Promise<{ revision: number; forgottenUpTo: number; changes: ChangedRow[] }> {
    const rows = await this.db.query<ChangedRow>(CHANGED_SINCE, [revision, revision]);
    return { revision: Number(rows[0]?.registryRevision ?? 0), forgottenUpTo: Number(rows[0]?.forgottenUpTo ?? 0), changes: rows.filter((row) => row.slug !== null) };
  }
}

/** Of `<revision>:<json>`; 0 for nothing. */
function revisionOf(value: string): number {
  return Number(value.slice(0, Math.max(0, value.indexOf(':'))));
}

/** Of `<revision>:<json>`; undefined when the slug was removed. */
function appOf(value: string): CachedApp | undefined {
  const json = value.slice(value.indexOf(':') + 1);
  return json === '' ? undefined : (JSON.parse(json) as CachedApp);
}
