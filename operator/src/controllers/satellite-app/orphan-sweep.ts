import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { Change, type AppEntry } from '@satellite/proto/registry/v1';
import { systemTimers, type TimerHandle, type Timers } from '../../runtime/timers.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import type { RegistryClient } from './registry-client.js';
import type { SatelliteApp } from './satellite-app.js';

export interface OrphanSweepOptions {
  readonly apps: Pick<ResourceStore<SatelliteApp>, 'inIndex' | 'read'>;
  readonly registry: Pick<RegistryClient, 'listApps' | 'removeApp'>;
  /** Whose entries these are; undefined: orphans are counted and nothing is removed. */
  readonly installation?: string;
  /** Only entries of objects of this namespace; all unless given. */
  readonly namespace?: string;
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly timers?: Timers;
  readonly random?: () => number;
}

/** What one sweep found. */
export interface SweepResult {
  /** Entries that are this operator's to look after. */
  readonly entries: number;
  /** Those among them whose object does not exist. */
  readonly orphans: number;
  readonly removed: number;
}

const PAGE = 200;
const CALL_LIMIT_MS = 10_000;
const JITTER = 0.1;
/** So many orphans at once, and more than half of all, are no tidying up: this is the wrong cluster, or one that is being restored. */
const SUSPICIOUS = 20;

/**
 * Finds entries whose object is gone without the operator's knowing: its finalizer was taken off by hand, it was
 * deleted while no operator was installed, or the cluster was restored from before it. An entry goes when two sweeps
 * in a row found no object and nobody wrote the entry in between, so that an object which is made again gets it back.
 */
export class OrphanSweep {
  private readonly timers: Timers;
  private readonly stopping = new AbortController();
  private timer: TimerHandle | undefined;
  /** Revision that each orphan of the last sweep had, by slug. */
  private suspects: ReadonlyMap<string, bigint> = new Map();

  constructor(private readonly options: OrphanSweepOptions) {
    this.timers = options.timers ?? systemTimers;
  }

  start(): void {
    this.later(this.random() * JITTER * this.options.intervalMs);
  }

  /** Nothing is removed from now on; what is being asked is not waited for. */
  stop(): void {
    this.stopping.abort(new Error('the operator stops'));
    if (this.timer !== undefined) this.timers.clear(this.timer);
  }

  /** One look at all entries; throws when the registry or the source does not answer. */
  async sweep(): Promise<SweepResult> {
    const { entries, orphans } = await this.find();
    const isSuspicious = orphans.length > SUSPICIOUS && orphans.length > entries / 2;
    const due = this.options.installation === undefined || isSuspicious ? [] : orphans.filter(({ app, revision }) => this.suspects.get(app?.slug ?? '') === revision);
    this.suspects = new Map(orphans.map(({ app, revision }) => [app?.slug ?? '', revision]));
    if (isSuspicious) this.options.logger.error({ entries, orphans: orphans.length }, 'more than half of the registry entries have no object: nothing is removed. Is this the cluster they belong to? Apply the objects again, or remove the entries in the administration');
    let removed = 0;
    for (const orphan of due) if (await this.remove(orphan)) removed += 1;
    return { entries, orphans: orphans.length, removed };
  }

  private async find(): Promise<{ readonly entries: number; readonly orphans: readonly AppEntry[] }> {
    const orphans: AppEntry[] = [];
    let entries = 0;
    let pageToken = '';
    do {
      const page = await this.options.registry.listApps({ managedBy: 'operator', installation: this.options.installation ?? '', pageSize: PAGE, pageToken }, this.limits());
      for (const entry of page.apps.filter((one) => this.isOurs(one))) {
        entries += 1;
        if (await this.isOrphan(entry)) orphans.push(entry);
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    return { entries, orphans };
  }

  /** The Shell has answered for our installation only; it is looked at once more, since what goes does not come back. */
  private isOurs({ managedBy, source }: AppEntry): boolean {
    const { installation = '', namespace } = this.options;
    return managedBy === 'operator' && source !== undefined && source.installation === installation && (namespace === undefined || source.namespace === namespace);
  }

  /** The mirror can only say that there is an object; that there is none, the source itself has to say. */
  private async isOrphan({ app, source }: AppEntry): Promise<boolean> {
    this.stopping.signal.throwIfAborted();
    const [slug, key] = [app?.slug ?? '', `${source?.namespace ?? ''}/${source?.name ?? ''}`];
    if (this.options.apps.inIndex(slug).some(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key)) return false;
    const object = await this.options.apps.read(key);
    // An object that was made again under the same name takes its entry over, unless it has another slug now.
    return object?.spec.slug !== slug;
  }

  private async remove(entry: AppEntry): Promise<boolean> {
    const { registry, logger } = this.options;
    if (!entry.source || !(await this.isOrphan(entry))) return false;
    const slug = entry.app?.slug ?? '';
    // Of an object that nobody can ask any more, only what it had said counts; unknown means that people decide.
    const orphan = entry.source.deletionPolicy !== 'Delete';
    const { change } = await registry.removeApp({ slug, source: entry.source, orphan, ifRevision: entry.revision }, this.limits());
    const object = `${entry.source.namespace}/${entry.source.name}`;
    if (change === Change.REMOVED) logger.warn({ slug, object, uid: entry.source.uid }, 'an entry whose object no longer exists was taken out of the registry');
    if (change === Change.ORPHANED) logger.warn({ slug, object, uid: entry.source.uid }, 'an entry whose object no longer exists was given up; administrators manage it from now on');
    return change === Change.REMOVED || change === Change.ORPHANED;
  }

  private later(delayMs: number): void {
    this.timer = this.timers.set(() => void this.run(), delayMs);
  }

  private async run(): Promise<void> {
    const { logger, intervalMs, installation } = this.options;
    try {
      const result = await this.sweep();
      if (result.orphans > 0) logger.warn({ ...result, ...(installation === undefined && { hint: 'set OPERATOR_INSTALLATION to have them removed' }) }, 'there are registry entries whose object does not exist');
    } catch (error) {
      if (!this.stopping.signal.aborted) logger.warn({ detail: messageOf(error) }, 'the registry could not be looked through for entries without an object; tried again later');
    }
    if (!this.stopping.signal.aborted) this.later(intervalMs * (1 + JITTER * this.random()));
  }

  private limits(): { readonly signal: AbortSignal; readonly timeoutMs: number } {
    return { signal: this.stopping.signal, timeoutMs: CALL_LIMIT_MS };
  }

  private random(): number {
    return (this.options.random ?? Math.random)();
  }
}
