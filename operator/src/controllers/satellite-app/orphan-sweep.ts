import { ConnectError } from '@connectrpc/connect';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { Change, type AppEntry } from '@satellite/proto/registry/v1';
import { ApiStatusError, isOutage } from '../../runtime/api-error.js';
import type { Key } from '../../runtime/objects.js';
import { systemTimers, type TimerHandle, type Timers } from '../../runtime/timers.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import type { RegistryClient } from './registry-client.js';
import type { SatelliteApp } from './satellite-app.js';

export interface OrphanSweepOptions {
  readonly apps: Pick<ResourceStore<SatelliteApp>, 'get' | 'inIndex' | 'list' | 'others' | 'read'>;
  readonly registry: Pick<RegistryClient, 'listApps' | 'removeApp'>;
  /** Whose entries these are; undefined: orphans are counted and nothing is removed. */
  readonly installation?: string;
  /** Only entries of objects of this namespace; all unless given. */
  readonly namespace?: string;
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly observer?: SweepObserver;
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
  /** Nothing was removed, because too much would go. */
  readonly isHeld: boolean;
}

/** Who counts. */
export interface SweepObserver {
  /** @param result undefined: the registry or the source did not answer */
  swept(result: SweepResult | undefined): void;
}

const PAGE = 200;
const CALL_LIMIT_MS = 10_000;
const JITTER = 0.1;
/** After so many entries in a row for which nobody answered the rest is left to the next sweep. */
const GIVE_UP = 3;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What a sweep knows before it removes anything. An entry that could not be looked at is neither alive nor an orphan. */
interface Findings {
  readonly entries: number;
  /** Entries whose object exists. */
  readonly alive: number;
  readonly orphans: readonly AppEntry[];
}

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
  /** Entries in a row for which nobody answered. */
  private unanswered = 0;
  /** Objects of others, who look after their entries; asked for when a sweep needs it. */
  private others: Promise<ReadonlySet<Key>> | undefined;

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
    this.unanswered = 0;
    this.others = undefined;
    const found = await this.find();
    const { entries, orphans } = found;
    const suspicion = this.suspicionOf(found);
    const due = this.options.installation === undefined || suspicion ? [] : orphans.filter(({ app, revision }) => this.suspects.get(app?.slug ?? '') === revision);
    // Objects that are being applied again come one by one: who is missing counts from when most are there.
    this.suspects = new Map(suspicion ? [] : orphans.map(({ app, revision }) => [app?.slug ?? '', revision]));
    if (suspicion) this.options.logger.error({ entries, orphans: orphans.length }, `${suspicion}: nothing is removed. Is this the cluster they belong to? Apply the objects again, or remove the entries in the administration`);
    let removed = 0;
    for (const orphan of due) if (await this.attempt(orphan, () => this.remove(orphan))) removed += 1;
    return { entries, orphans: orphans.length, removed, isHeld: suspicion !== undefined };
  }

  /** Why this is no tidying up, but the wrong cluster, or one that is being restored; undefined when it is. */
  private suspicionOf({ alive, orphans }: Findings): string | undefined {
    if (orphans.length > 0 && alive === 0 && this.options.apps.list().length === 0) return 'there are registry entries and no object at all';
    return orphans.length > 1 && orphans.length > alive ? 'more than half of the registry entries have no object' : undefined;
  }

  private async find(): Promise<Findings> {
    const orphans: AppEntry[] = [];
    let [entries, alive] = [0, 0];
    let pageToken = '';
    do {
      const page = await this.options.registry.listApps({ managedBy: 'operator', installation: this.options.installation ?? '', pageSize: PAGE, pageToken }, this.limits());
      for (const entry of page.apps.filter((one) => this.isOurs(one))) {
        entries += 1;
        const isOrphan = await this.attempt(entry, () => this.isOrphan(entry));
        if (isOrphan === true) orphans.push(entry);
        if (isOrphan === false) alive += 1;
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    return { entries, alive, orphans };
  }

  /** One entry that cannot be looked at or removed does not keep the others; undefined for it. */
  private async attempt<R>(entry: AppEntry, work: () => Promise<R>): Promise<R | undefined> {
    try {
      const result = await work();
      this.unanswered = 0;
      return result;
    } catch (error) {
      this.stopping.signal.throwIfAborted();
      this.unanswered = isAnswer(error) ? 0 : this.unanswered + 1;
      if (this.unanswered >= GIVE_UP) throw error;
      this.options.logger.warn({ slug: entry.app?.slug, object: `${entry.source?.namespace ?? ''}/${entry.source?.name ?? ''}`, detail: messageOf(error) }, 'whether this registry entry has an object could not be found out, or it could not be removed; tried again with the next sweep');
      return undefined;
    }
  }

  /** The Shell has answered for our installation only; it is looked at once more, since what goes does not come back. */
  private isOurs({ managedBy, source }: AppEntry): boolean {
    const { installation = '', namespace } = this.options;
    if (managedBy !== 'operator' || source === undefined || source.installation !== installation) return false;
    // No object can have such names, and they would become a part of the path that is asked.
    if (!DNS_LABEL.test(source.namespace) || !DNS_NAME.test(source.name)) return false;
    return namespace === undefined || source.namespace === namespace;
  }

  /** The mirror can only say that there is an object; that there is none, the source itself has to say. */
  private async isOrphan({ app, source }: AppEntry): Promise<boolean> {
    this.stopping.signal.throwIfAborted();
    const [slug, key] = [app?.slug ?? '', `${source?.namespace ?? ''}/${source?.name ?? ''}`];
    if (this.options.apps.inIndex(slug).some(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key)) return false;
    if (await this.isOfOthers(key)) return false;
    const object = await this.options.apps.read(key);
    // An object that was made again under the same name takes its entry over, unless it has another slug now.
    return object?.spec.slug !== slug;
  }

  /** That an object exists, a list tells for all; that there is none is asked of the source for each. */
  private async isOfOthers(key: Key): Promise<boolean> {
    if (this.options.apps.get(key)) return false;
    this.others ??= this.options.apps.others();
    return (await this.others).has(key);
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
    const { logger, intervalMs, installation, observer } = this.options;
    try {
      const result = await this.sweep();
      observer?.swept(result);
      const { entries, orphans, removed } = result;
      if (orphans > 0) logger.warn({ entries, orphans, removed, ...(installation === undefined && { hint: 'set OPERATOR_INSTALLATION to have them removed' }) }, 'there are registry entries whose object does not exist');
    } catch (error) {
      if (!this.stopping.signal.aborted) observer?.swept(undefined);
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

/** Somebody answered for this entry, whatever they said. What the registry says comes from a Shell that has just listed them. */
function isAnswer(error: unknown): boolean {
  return error instanceof ConnectError || (error instanceof ApiStatusError && !isOutage(error));
}
