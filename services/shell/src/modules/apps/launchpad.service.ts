import { wrapPayload, type Envelope } from '@satellite/kit/http';
import { messageOf } from '@satellite/kit/core';
import type { Redis } from '@satellite/kit/cache';
import type { Logger } from '@satellite/kit/telemetry';
import type { AppOrganizationsRepository, LaunchpadOrganization } from './app-organizations.repository.js';
import { presentLaunchpadApp } from './apps.presenter.js';
import { isEnabledFor } from './enablement.service.js';
import { seenFrom } from './front-end.js';
import { REGISTRY_CHANNEL, type CachedApp, type RegistryCache, type RegistrySnapshot } from './registry-cache.js';

/** An answer of `GET /api/config/apps`, ready to send. */
export interface LaunchpadFeed {
  readonly body: Buffer;
  readonly entityTag: string;
}

const POLL_MS = 1000;
/** Feeds kept for organizations; the oldest goes first. */
const MAX_FEEDS = 1000;

/**
 * The apps of the launchpad. A process keeps the assembled answer of the newest revision it has heard of (by
 * message, and by a look at the database each second, so that a lost message or a lost Redis heals by itself).
 */
export class LaunchpadService {
  private snapshot: RegistrySnapshot = { revision: -1, apps: [] };
  private loading: Promise<RegistrySnapshot> | undefined;
  private newest = 0;
  private publicFeed: { revision: number; feed: LaunchpadFeed } | undefined;
  private readonly organizationFeeds = new Map<string, { revision: number; feed: LaunchpadFeed | undefined }>();
  private appOrigins: { revision: number; origins: readonly string[] } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private subscriber: Redis | undefined;

  constructor(
    private readonly cache: RegistryCache,
    private readonly organizations: AppOrganizationsRepository,
    private readonly redis: Redis,
    private readonly envelope: Envelope,
    private readonly logger: Logger,
  ) {}

  /** Begins to follow the registry. */
  async start(): Promise<void> {
    this.cache.onWrite((revision) => this.heard(revision));
    await this.follow();
    this.subscriber = this.redis.duplicate();
    this.subscriber.on('error', (error: Error) => this.logger.warn({ error: error.message }, 'registry subscription'));
    this.subscriber.on('message', (_channel: string, revision: string) => this.heard(Number(revision)));
    this.subscriber.on('ready', () => {
      this.subscriber?.subscribe(REGISTRY_CHANNEL).catch((error: unknown) => this.logger.warn({ error: messageOf(error) }, 'registry subscription'));
    });
    this.timer = setInterval(() => void this.follow(), POLL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.subscriber?.disconnect();
  }

  /** A write of this process was committed with this revision: the next answer shows it. */
  heard(revision: number): void {
    if (revision > this.newest) this.newest = revision;
  }

  /** Number of the newest change that this process has heard of. */
  get newestRevision(): number {
    return this.newest;
  }

  /** Looks at the database; a cache that is behind (a writer died between commit and cache) is brought up. */
  private async follow(): Promise<void> {
    try {
      const known = this.newest; // before the look: what is heard during it may be newer than what it sees
      const [revision, cached] = [await this.cache.registryRevision(), await this.cache.cachedRevision()];
      if (revision < known) this.forget(revision); // restored from a backup
      this.heard(revision);
      if (cached !== revision) await this.cache.catchUp();
    } catch (error) {
      this.logger.warn({ error: messageOf(error) }, 'the registry cannot be read; the last known apps are served');
    }
  }

  private forget(revision: number): void {
    this.newest = revision;
    this.snapshot = { revision: -1, apps: [] };
    this.publicFeed = undefined;
    this.appOrigins = undefined;
    this.organizationFeeds.clear();
  }

  /** Active apps, for anybody: without those that have come only to a share of the organizations, and with the front-ends that are no canaries. */
  async forEveryone(): Promise<LaunchpadFeed> {
    if (this.publicFeed && this.publicFeed.revision >= this.newest) return this.publicFeed.feed;
    const { revision, apps } = await this.current();
    const feed = this.feedOf(apps.filter(({ organizationPercent }) => organizationPercent === 100), `r${revision}`);
    this.publicFeed = { revision, feed };
    return feed;
  }

  /** Active apps that are enabled for the organization; undefined when there is no such active organization. */
  async forOrganization(organizationId: string): Promise<LaunchpadFeed | undefined> {
    const kept = this.organizationFeeds.get(organizationId);
    if (kept && kept.revision >= this.newest) return kept.feed;
    const { revision, apps } = await this.current();
    const organization = await this.organizations.ofOrganization(organizationId);
    const feed = organization && this.feedOf(apps.filter((app) => isEnabledIn(app, organization)).map((app) => seenFrom(app, organizationId)), `r${revision}-${organizationId}`);
    this.organizationFeeds.delete(organizationId);
    this.organizationFeeds.set(organizationId, { revision, feed });
    if (this.organizationFeeds.size > MAX_FEEDS) this.organizationFeeds.delete(this.organizationFeeds.keys().next().value ?? '');
    return feed;
  }

  /** Origins of the front-ends of active apps, canaries too, as far as they are not below the platform's own address. */
  async origins(): Promise<readonly string[]> {
    if (this.appOrigins && this.appOrigins.revision >= this.newest) return this.appOrigins.origins;
    const { revision, apps } = await this.current();
    const addresses = apps.filter(({ status }) => status === 'active').flatMap(({ uiUrl, uiCanary }) => [uiUrl, uiCanary?.uiUrl ?? null]);
    const origins = [...new Set(addresses.flatMap((url) => (url !== null && URL.canParse(url) ? [new URL(url).origin] : [])))].sort();
    this.appOrigins = { revision, origins };
    return origins;
  }

  /** One load at a time; whoever comes meanwhile shares it, unless it is older than what they have to see. */
  private async current(): Promise<RegistrySnapshot> {
    const wanted = this.newest;
    while (this.snapshot.revision < wanted) {
      this.loading ??= this.cache.snapshot(wanted).finally(() => (this.loading = undefined));
      const loaded = await this.loading;
      if (loaded.revision > this.snapshot.revision) this.snapshot = loaded;
      this.heard(loaded.revision);
      if (loaded.revision < wanted) break; // the database is behind what was heard: a backup; the poll sorts it out
    }
    return this.snapshot;
  }

  private feedOf(apps: readonly CachedApp[], version: string): LaunchpadFeed {
    const shown = apps
      .filter((app) => app.status === 'active')
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.slug < b.slug ? -1 : 1))
      .map(presentLaunchpadApp);
    return { body: Buffer.from(JSON.stringify(wrapPayload(this.envelope, 200, shown))), entityTag: `"${version}"` };
  }
}

function isEnabledIn(app: CachedApp, { id, slug, switches, planned }: LaunchpadOrganization): boolean {
  return isEnabledFor(app, { organizationId: id, organizationSlug: slug, enabled: switches.get(app.id), planned: planned?.has(app.id) ?? true });
}
