import type { Database } from '@satellite/kit/db';
import type { App } from './app.entity.js';
import type { ApiSurface, AppReport, KeptReport, ReportedCondition } from './app-report.js';

interface ReportRow {
  readonly appId: string;
  readonly digest: string;
  readonly conditions: ReportedCondition[];
  readonly observedGeneration: string;
  readonly observedVersion: string | null;
  readonly degraded: boolean;
  readonly degradedSince: string | null;
  readonly reportedAt: string;
}

/** What the operator reports, and the baselines of apps' APIs; both go with their entry. */
export class AppReportsRepository {
  constructor(private readonly db: Database) {}

  /** By app id. */
  async of(appIds: readonly string[]): Promise<Map<string, KeptReport>> {
    const rows = await this.db.query<ReportRow>(
      `select app_id as "appId", digest, conditions, observed_generation as "observedGeneration", observed_version as "observedVersion", degraded, degraded_since as "degradedSince", reported_at as "reportedAt"
       from app_reports where app_id = any(?::uuid[])`,
      [appIds],
    );
    return new Map(rows.map(({ appId, observedGeneration, degradedSince, reportedAt, ...row }) => [appId, { ...row, observedGeneration: Number(observedGeneration), degradedSince: degradedSince === null ? null : new Date(degradedSince), reportedAt: new Date(reportedAt) }]));
  }

  /**
   * Replaces the report, and the baseline of the API when there is one; since when the app is degraded stays while it
   * is. An entry that went meanwhile, or has another owner, takes none; it gets no other until the transaction ends.
   * @returns whether it was kept
   */
  async keep({ id, sourceUid }: Pick<App, 'id' | 'sourceUid'>, { digest, conditions, observedGeneration, observedVersion, degraded }: AppReport, surface?: ApiSurface): Promise<boolean> {
    const kept = await this.db.query(
      `with kept as (
         insert into app_reports as kept (app_id, digest, conditions, observed_generation, observed_version, degraded, degraded_since, reported_at)
         select a.id, ?, ?::jsonb, ?, ?, ?::boolean, case when ?::boolean then now() end, now() from apps a where a.id = ? and a.managed_by = 'operator' and a.source_uid = ? for no key update
         on conflict (app_id) do update set digest = excluded.digest, conditions = excluded.conditions, observed_generation = excluded.observed_generation, observed_version = excluded.observed_version,
           degraded = excluded.degraded, degraded_since = case when excluded.degraded then coalesce(kept.degraded_since, excluded.degraded_since) end, reported_at = excluded.reported_at
         returning app_id),
       baseline as (
         insert into app_api_baselines (app_id, digest, app_version, content, kept_at) select app_id, ?::text, ?::text, decode(?::text, 'base64'), now() from kept where ?::boolean
         on conflict (app_id) do update set digest = excluded.digest, app_version = excluded.app_version, content = excluded.content, kept_at = excluded.kept_at)
       select app_id from kept`,
      [digest, JSON.stringify(conditions), observedGeneration, observedVersion, degraded, degraded, id, sourceUid, surface?.digest ?? null, surface?.version ?? null, surface ? Buffer.from(surface.content).toString('base64') : null, surface !== undefined],
    );
    return kept.length > 0;
  }

  async baseline(appId: string): Promise<ApiSurface | undefined> {
    const [row] = await this.db.query<{ digest: string; version: string | null; content: string }>(`select digest, app_version as version, encode(content, 'base64') as content from app_api_baselines where app_id = ?`, [appId]);
    return row && { ...row, content: new Uint8Array(Buffer.from(row.content, 'base64')) };
  }

  async baselineDigest(appId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ digest: string }>('select digest from app_api_baselines where app_id = ?', [appId]);
    return row?.digest;
  }

  /** Nobody reports of this entry any more. */
  async forget(appId: string): Promise<void> {
    await this.db.query('delete from app_reports where app_id = ?', [appId]);
    await this.db.query('delete from app_api_baselines where app_id = ?', [appId]);
  }
}
