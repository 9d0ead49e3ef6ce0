import { InvalidFields } from '@satellite/kit/core';
import { kept, type Database } from '@satellite/kit/db';
import { SHELL_RESOURCES } from '../../permissions.js';
import type { AuditEvent, AuditTrail } from '../audit/index.js';
import { App, type AppManager } from './app.entity.js';
import { sourceColumns, sourceOf, type AppSource } from './app-source.js';
import type { DesiredApp } from './app.rules.js';
import { DeclarationInUse, SlugInUse } from './apps.errors.js';
import type { AppsRepository } from './apps.repository.js';
import type { RegistryCache } from './registry-cache.js';
import { recordableApp, writeInto, type RegistryEntry } from './registry-entry.js';
import { SharedWrites, type RegistryWork, type Written } from './shared-writes.js';

/** Who gets the permissions that an app declares; the roles module supplies it. */
export interface DeclaredGrants {
  give(codes: readonly string[]): Promise<void>;
}

/**
 * The one way to write the registry: lock, check, write, commit, then the cache. Everything that decides (REST,
 * operator) happens inside `write`, where no other writer can come between check and commit.
 */
export class RegistryWriter {
  private readonly shared: SharedWrites;

  constructor(
    private readonly db: Database,
    private readonly apps: AppsRepository,
    private readonly cache: RegistryCache,
    private readonly grants: DeclaredGrants,
    /** Audience of the Shell's own tokens: an app of that name would get them by an exchange. */
    private readonly ownAudience: string,
    private readonly audit: AuditTrail,
  ) {
    this.shared = new SharedWrites(db, apps, cache);
  }

  /** Runs `work` under the registry lock with the number of this write, then brings the cache up to date. */
  async write<T>(work: RegistryWork<T>): Promise<Written<T>> {
    const { result, revision } = await this.db.run(async () => {
      const number = await this.apps.nextRevision();
      return { result: await work(number), revision: number };
    });
    return { result, cachedRevision: await this.cache.written(revision) };
  }

  /** The same for writes that come by the hundred: those that come together share a transaction. Not inside one; `work` may run a second time after a rollback. */
  writeTogether<T>(work: RegistryWork<T>): Promise<Written<T>> {
    return this.shared.write(work);
  }

  /** A write for changes beside the registry that decide what organizations see: their plans, and what plans include. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.db.run(async () => {
      const revision = await this.apps.nextRevision();
      this.db.afterCommit(() => void this.cache.written(revision)); // it may be part of a larger transaction
      return work();
    });
  }

  /** Says in the audit trail what is done; joins the running transaction. */
  record(event: AuditEvent): Promise<void> {
    return this.audit.record(event);
  }

  /** A new entry, of whose slug there is none; throws DeclarationInUse or InvalidFields. */
  async create(desired: DesiredApp, revision: number, managedBy: AppManager, source?: AppSource): Promise<RegistryEntry> {
    const app = new App();
    await this.putFields(app, desired, revision, managedBy, source);
    return this.putDeclarations({ app }, desired);
  }

  /** The same by an administrator, with an entry in the audit trail; throws SlugInUse too. */
  async register(desired: DesiredApp, revision: number, action: 'apps.create' | 'apps.register_remote'): Promise<RegistryEntry> {
    if (await this.apps.findOwned(desired.slug)) throw new SlugInUse(desired.slug);
    const entry = await this.create(desired, revision, 'api');
    await this.record({ action, organizationId: null, target: { type: 'app', id: entry.app.id }, after: recordableApp(entry) });
    return kept(entry);
  }

  /** Makes an entry equal to what is desired. */
  async replace(entry: RegistryEntry, desired: DesiredApp, revision: number, managedBy: AppManager, source?: AppSource): Promise<RegistryEntry> {
    await this.putFields(entry.app, desired, revision, managedBy, source);
    await this.apps.removeDeclarations(entry.app.id);
    return this.putDeclarations(entry, desired);
  }

  private async putFields(app: App, desired: DesiredApp, revision: number, managedBy: AppManager, source: AppSource | undefined): Promise<void> {
    await this.assertDeclarable(desired);
    writeInto(app, desired);
    Object.assign(app, { managedBy, revision }, sourceColumns(source, sourceOf(app)));
    this.apps.add(app);
    await this.apps.flush();
  }

  private async putDeclarations({ app, report }: Pick<RegistryEntry, 'app' | 'report'>, desired: DesiredApp): Promise<RegistryEntry> {
    await this.apps.addDeclarations(app.id, desired);
    await this.grants.give(desired.permissions.map(({ code }) => code));
    return { app, permissions: desired.permissions, limitKeys: desired.limitKeys, report };
  }

  /** An app declares under its own slug, or under a first name that nobody else uses. */
  async assertDeclarable(desired: DesiredApp): Promise<void> {
    if (desired.slug === this.ownAudience) throw new InvalidFields([{ field: 'slug', message: 'is reserved by the platform' }]);
    const ofShell = desired.permissions.filter(({ code }) => SHELL_RESOURCES.has(code.split(/[.:]/)[0] ?? ''));
    if (ofShell.length > 0) throw new InvalidFields(ofShell.map(({ code }) => ({ field: 'permissions', message: `"${code}" is a name of the Shell; begin it with "${desired.slug}."` })));
    const foreign = await this.apps.foreignDeclaration(desired.slug, desired);
    if (foreign) throw new DeclarationInUse(foreign.kind, foreign.name, `the app "${foreign.owner}"`);
  }
}
