import { InvalidFields, parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { requireMatch } from '@satellite/kit/http';
import type { Snapshot } from '../audit/index.js';
import { APP_MANAGERS, APP_STATUSES } from './app.entity.js';
import { parseApp } from './app.rules.js';
import { AppNotFound, ManagedElsewhere } from './apps.errors.js';
import type { AppsRepository } from './apps.repository.js';
import { desiredOf, differencesBetween, recordableApp, type RegistryEntry } from './registry-entry.js';
import { sourceOf } from './app-source.js';
import type { RegistryWriter } from './registry-writer.js';

const LIST_RULES: ListRules = {
  fields: {
    slug: 'string', name: 'string', type: 'string', category: 'string', version: 'string', sourceNamespace: 'string',
    status: { oneOf: APP_STATUSES }, managedBy: { oneOf: APP_MANAGERS }, createdAt: 'timestamp', updatedAt: 'timestamp',
  },
  sort: ['slug', 'name', 'type', 'category', 'status', 'createdAt', 'updatedAt'],
  defaultSort: 'name',
};

/** How a write is meant. */
export interface WriteOptions {
  /** If-Match of the request. */
  readonly ifMatch?: string | undefined;
  /** Edit an entry although the operator manages it. */
  readonly force?: boolean | undefined;
}

/** The registry as administrators use it over REST. */
export class AppsService {
  constructor(
    private readonly apps: AppsRepository,
    private readonly writer: RegistryWriter,
  ) {}

  list(parameters: ListParameters): Promise<Page<RegistryEntry>> {
    return this.apps.page(parseListQuery(parameters, LIST_RULES));
  }

  async get(id: string): Promise<RegistryEntry> {
    const entry = await this.apps.findById(id);
    if (!entry) throw new AppNotFound(id);
    return entry;
  }

  /** Throws InvalidFields, SlugInUse or DeclarationInUse. */
  async create(given: unknown): Promise<RegistryEntry> {
    const desired = parseApp(given);
    const { result } = await this.writer.write((revision) => this.writer.register(desired, revision, 'apps.create'));
    return result;
  }

  /** Changes the given fields. An entry of the operator is changed only by force, and stays the operator's. */
  async update(id: string, changes: Readonly<Record<string, unknown>>, options: WriteOptions): Promise<RegistryEntry> {
    const unchanged = await this.get(id);
    const merged = parseApp({ ...nullsDropped(desiredOf(unchanged)), ...changes });
    requireMatch(options.ifMatch, unchanged.app.revision);
    assertEditable(unchanged, options);
    assertSameSlug(unchanged, merged.slug);
    if (differencesBetween(unchanged, merged).length === 0) return this.recorded(unchanged, recordableApp(unchanged));
    const { result } = await this.writer.write(async (revision) => {
      const entry = await this.get(id);
      requireMatch(options.ifMatch, entry.app.revision);
      assertEditable(entry, options);
      const desired = parseApp({ ...nullsDropped(desiredOf(entry)), ...changes });
      assertSameSlug(entry, desired.slug);
      const before = recordableApp(entry);
      return this.recorded(await this.writer.replace(entry, desired, revision, entry.app.managedBy, sourceOf(entry.app)), before);
    });
    return result;
  }

  async remove(id: string, options: WriteOptions): Promise<void> {
    await this.get(id);
    await this.writer.write(async (revision) => {
      const { app, ...entry } = await this.get(id);
      requireMatch(options.ifMatch, app.revision);
      assertEditable({ app, ...entry }, options);
      await this.writer.record({ action: 'apps.delete', organizationId: null, target: { type: 'app', id: app.id }, before: recordableApp({ app, ...entry }) });
      await this.apps.remove(app, revision);
    });
  }

  private async recorded(entry: RegistryEntry, before: Snapshot): Promise<RegistryEntry> {
    await this.writer.record({ action: 'apps.update', organizationId: null, target: { type: 'app', id: entry.app.id }, before, after: recordableApp(entry) });
    return entry;
  }
}

/** The slug is in every address, permission code and token audience of the app. */
function assertSameSlug({ app }: RegistryEntry, slug: string): void {
  if (slug !== app.slug) throw new InvalidFields([{ field: 'slug', message: `cannot change ("${app.slug}"); register the app anew under the other slug` }]);
}

function assertEditable({ app }: RegistryEntry, { force }: WriteOptions): void {
  if (app.managedBy === 'operator' && force !== true) throw new ManagedElsewhere(app.slug, app.managedBy);
}

/** Absent and null mean the same to the rules; null would be an unknown type to fields that are never null. */
function nullsDropped(desired: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(desired).filter(([, value]) => value !== null));
}
