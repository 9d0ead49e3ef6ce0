import { InvalidFields } from '@satellite/kit/core';
import { parseApp, type DesiredApp } from './app.rules.js';
import type { AppReportsRepository } from './app-reports.repository.js';
import type { AppsRepository } from './apps.repository.js';
import { assertOwned, assertSource, isOfSource, isOwnedBy, isRecorded, type GivenSource } from './ownership.js';
import type { RegistryCache } from './registry-cache.js';
import { differencesBetween, recordableApp, type Difference, type RegistryEntry } from './registry-entry.js';
import { sourceColumns } from './app-source.js';
import type { RegistryWriter } from './registry-writer.js';

export type RegistryChange = 'created' | 'updated' | 'unchanged' | 'removed' | 'orphaned';

export interface Applied {
  readonly id: string;
  readonly change: RegistryChange;
  readonly revision: number;
  readonly cachedRevision: number;
  readonly differences: readonly Difference[];
  /** The entry differed although this very uid, generation and step had been applied: somebody edited it. */
  readonly drifted: boolean;
  /** Of the report that is kept; empty without one. */
  readonly reportDigest: string;
}

export interface Removed {
  readonly change: RegistryChange;
  readonly revision: number;
  readonly cachedRevision: number;
}

export interface ListedEntry {
  readonly entry: RegistryEntry;
  readonly cachedRevision: number;
}

const MAX_PAGE = 500;

/** The registry as the operator writes it: whole entries, idempotent by uid, generation and step. */
export class OperatorRegistryService {
  constructor(
    private readonly apps: AppsRepository,
    private readonly reports: AppReportsRepository,
    private readonly writer: RegistryWriter,
    private readonly cache: RegistryCache,
  ) {}

  /** Throws InvalidFields, SlugInUse, DeclarationInUse, NotOperatorManaged, StaleGeneration or RegistryBusy. */
  async apply(given: unknown, source: GivenSource, force: boolean): Promise<Applied> {
    const desired = parseApp(given);
    assertSource(source);
    const before = await this.apps.findBySlug(desired.slug);
    if (before) assertOwned(before.app, source, force); // and again under the lock: what is refused here costs nobody else their transaction
    if (before && isApplied(before, desired, source)) return this.unchanged(before); // a resync takes no lock and writes nothing
    const { result, cachedRevision } = await this.writer.writeTogether((revision) => this.applyLocked(desired, source, force, revision));
    return { ...result, cachedRevision };
  }

  private async applyLocked(desired: DesiredApp, source: GivenSource, force: boolean, revision: number): Promise<Omit<Applied, 'cachedRevision'>> {
    const before = await this.apps.findBySlug(desired.slug);
    if (!before) {
      const created = await this.writer.create(desired, revision, 'operator', source);
      await this.writer.record({ action: 'apps.apply', organizationId: null, target: { type: 'app', id: created.app.id }, after: recordableApp(created) });
      return { id: created.app.id, change: 'created', revision, differences: [], drifted: false, reportDigest: '' };
    }
    assertOwned(before.app, source, force);
    const differences = differencesBetween(before, desired);
    const drifted = differences.length > 0 && isOfSource(before.app, source);
    const recorded = recordableApp(before);
    const after = await this.writer.replace(before, desired, revision, 'operator', source);
    await this.writer.record({ action: 'apps.apply', organizationId: null, target: { type: 'app', id: after.app.id }, before: recorded, after: recordableApp(after) });
    return { id: before.app.id, change: differences.length > 0 ? 'updated' : 'unchanged', revision, differences, drifted, reportDigest: before.report?.digest ?? '' };
  }

  private async unchanged({ app, report }: Pick<RegistryEntry, 'app' | 'report'>): Promise<Applied> {
    const cached = await this.cache.stateOf(app.slug, app.revision);
    if (cached.lost) return this.healed({ app, report });
    const cachedRevision = cached.cachedRevision >= app.revision ? cached.cachedRevision : await this.cache.catchUp();
    return { id: app.id, change: 'unchanged', revision: app.revision, cachedRevision, differences: [], drifted: false, reportDigest: report?.digest ?? '' };
  }

  /** Processes may have read the cache while the entry was missing: only a new number makes them read again. */
  private async healed({ app, report }: Pick<RegistryEntry, 'app' | 'report'>): Promise<Applied> {
    await this.cache.drop();
    const { result: revision, cachedRevision } = await this.writer.write(async (number) => {
      await this.apps.touch(app.id, number);
      return number;
    });
    return { id: app.id, change: 'unchanged', revision, cachedRevision, differences: [], drifted: false, reportDigest: report?.digest ?? '' };
  }

  /** What `apply` would do; the same refusals. */
  async plan(given: unknown, source: GivenSource, force: boolean): Promise<{ change: RegistryChange; differences: readonly Difference[]; reportDigest: string }> {
    const desired = parseApp(given);
    assertSource(source);
    const before = await this.apps.findBySlug(desired.slug);
    if (before) assertOwned(before.app, source, force);
    await this.writer.assertDeclarable(desired);
    if (!before) return { change: 'created', differences: [], reportDigest: '' };
    const differences = differencesBetween(before, desired);
    return { change: differences.length > 0 ? 'updated' : 'unchanged', differences, reportDigest: before.report?.digest ?? '' };
  }

  /**
   * Takes the entry out, or gives it up to the administrators; nothing happens when it is another source's.
   * @param ifRevision nothing happens either when the entry has another one; undefined = whatever it has
   */
  async remove(slug: string, source: GivenSource, orphan: boolean, ifRevision?: number): Promise<Removed> {
    assertSource(source);
    const isMeant = (entry: RegistryEntry | undefined): entry is RegistryEntry => entry !== undefined && isOwnedBy(entry.app, source) && (ifRevision === undefined || entry.app.revision === ifRevision);
    if (!isMeant(await this.apps.findBySlug(slug))) return { change: 'unchanged', revision: 0, cachedRevision: await this.cache.cachedRevision() };
    const { result, cachedRevision } = await this.writer.write(async (revision): Promise<Omit<Removed, 'cachedRevision'>> => {
      const entry = await this.apps.findBySlug(slug);
      if (!isMeant(entry)) return { change: 'unchanged', revision: 0 };
      const before = recordableApp(entry);
      if (orphan) {
        Object.assign(entry.app, { managedBy: 'api', revision }, sourceColumns(undefined));
        // The entry first, as whoever reports takes its lock first.
        await this.apps.flush();
        await this.reports.forget(entry.app.id);
        await this.writer.record({ action: 'apps.remove', organizationId: null, target: { type: 'app', id: entry.app.id }, before, after: recordableApp(entry) });
        return { change: 'orphaned', revision };
      }
      await this.apps.remove(entry.app, revision);
      await this.writer.record({ action: 'apps.remove', organizationId: null, target: { type: 'app', id: entry.app.id }, before });
      return { change: 'removed', revision };
    });
    return { ...result, cachedRevision };
  }

  /** Entries in slug order with the revision that each has in the cache. */
  async list(query: { slug?: string; managedBy?: string; installation?: string; after: string; limit: number }): Promise<{ entries: ListedEntry[]; nextAfter: string }> {
    const limit = query.limit === 0 ? MAX_PAGE : query.limit;
    if (limit < 1 || limit > MAX_PAGE) throw new InvalidFields([{ field: 'page_size', message: `must be 1 to ${MAX_PAGE}` }]);
    const found = await this.apps.after(query.after, limit + 1, query);
    const page = found.slice(0, limit);
    const cached = await this.cache.cachedRevisionsOf(page.map(({ app }) => app.slug));
    const entries = page.map((entry) => ({ entry, cachedRevision: cached.get(entry.app.slug) ?? 0 }));
    return { entries, nextAfter: found.length > limit ? (page.at(-1)?.app.slug ?? '') : '' };
  }
}

function isApplied(before: RegistryEntry, desired: DesiredApp, source: GivenSource): boolean {
  return isOwnedBy(before.app, source) && isRecorded(before.app, source) && differencesBetween(before, desired).length === 0;
}
