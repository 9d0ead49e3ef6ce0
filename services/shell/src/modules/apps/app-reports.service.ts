import type { ApiSurface, AppReport } from './app-report.js';
import { parseReport, parseSurface } from './app-report.js';
import type { AppReportsRepository } from './app-reports.repository.js';
import { AppNotFound } from './apps.errors.js';
import type { AppsRepository, OwnedEntry } from './apps.repository.js';
import { assertOwned, assertSource, type GivenSource } from './ownership.js';
import type { RegistryCache } from './registry-cache.js';
import type { RegistryWriter } from './registry-writer.js';

export interface Reported {
  /** False: the Shell held this report already. */
  readonly written: boolean;
  readonly revision: number;
  readonly cachedRevision: number;
}

/** What the operator reports of the entries that its objects own. */
export class AppReportsService {
  constructor(
    private readonly apps: AppsRepository,
    private readonly reports: AppReportsRepository,
    private readonly writer: RegistryWriter,
    private readonly cache: RegistryCache,
  ) {}

  /** Throws InvalidFields, AppNotFound, SlugInUse, NotOperatorManaged or StaleGeneration. */
  async report(slug: string, source: GivenSource, given: unknown, givenSurface: unknown): Promise<Reported> {
    const report = parseReport(given);
    const surface = givenSurface === undefined ? undefined : parseSurface(givenSurface);
    const { app, reportDigest, degraded } = await this.owned(slug, source);
    const isKnown = reportDigest === report.digest;
    // only asked when the answer decides anything: else it is written with the report in any case
    const newSurface = surface && isKnown && (await this.reports.baselineDigest(app.id)) === surface.digest ? undefined : surface;
    if (isKnown && !newSurface) return { written: false, revision: app.revision, cachedRevision: await this.cache.cachedRevision() };
    if (degraded !== report.degraded) return this.turn(slug, source, report, newSurface);
    const written = await this.reports.keep(app, report, newSurface);
    // Somebody took the entry over in the meantime: says who.
    if (!written) await this.owned(slug, source);
    return { written, revision: app.revision, cachedRevision: await this.cache.cachedRevision() };
  }

  /** The baseline of the app's API; undefined when none is kept. Throws as `report`. */
  async baseline(slug: string, source: GivenSource): Promise<ApiSurface | undefined> {
    const { app } = await this.owned(slug, source);
    return this.reports.baseline(app.id);
  }

  /** The launchpad shows it, so it is a write of the registry, although of none of the entry's own fields. */
  private async turn(slug: string, source: GivenSource, report: AppReport, surface: ApiSurface | undefined): Promise<Reported> {
    const { result, cachedRevision } = await this.writer.write(async (revision) => {
      const { app } = await this.owned(slug, source);
      await this.reports.keep(app, report, surface);
      await this.apps.touch(app.id, revision);
      return revision;
    });
    return { written: true, revision: result, cachedRevision };
  }

  private async owned(slug: string, source: GivenSource): Promise<OwnedEntry> {
    assertSource(source);
    const entry = await this.apps.findOwned(slug);
    if (!entry) throw new AppNotFound(slug);
    assertOwned(entry.app, source, false);
    return entry;
  }
}
