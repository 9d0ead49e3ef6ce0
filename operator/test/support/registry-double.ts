import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  AppEntrySchema, AppRegistry, AppSchema, AppSourceSchema, ApplyAppResponseSchema, Change, GetApiBaselineResponseSchema, ListAppsResponseSchema, PlanAppResponseSchema, RemoveAppResponseSchema,
  ReportAppResponseSchema, type ApiSurface, type App, type AppEntry, type AppReport, type AppSource, type ApplyAppRequest, type ListAppsRequest, type RemoveAppRequest, type ReportAppRequest,
} from '@satellite/proto/registry/v1';
import type { RegistryClient } from '../../src/controllers/satellite-app/registry-client.js';
import { differencesBetween, normalized } from './registry-fields.js';

/** One call as the registry saw it. */
export interface RegistryCall {
  readonly method: 'ApplyApp' | 'RollOutApp' | 'PlanApp' | 'RemoveApp' | 'ListApps' | 'ReportApp' | 'GetApiBaseline';
  readonly slug: string;
  readonly change?: Change;
}

const MAX_PAGE = 500;

/**
 * The Shell's registry by its contract, in memory: for tests of the operator alone. It keeps state, refuses what the
 * contract refuses, and fails on anything it does not know. registry-contract.test.ts and registry-reports.test.ts hold
 * it and the Shell's own registry to the same checks.
 */
export class RegistryDouble {
  readonly entries = new Map<string, AppEntry>();
  /** What was reported of entries, and the descriptions of their APIs, by slug. */
  readonly reports = new Map<string, AppReport>();
  readonly baselines = new Map<string, ApiSurface>();
  readonly calls: RegistryCall[] = [];
  /** How far the cache is behind the registry: a number of revisions, or away. */
  cacheLag: number | 'away' = 0;
  /** Every call fails with this while it is set. */
  outage: ConnectError | undefined;
  /** As a Shell from before roll-outs: it does not know the call, and of the others ignores the fields. */
  isBeforeRollOuts = false;
  /** Reports fail, and nothing else. */
  refuseReports: Code | undefined;
  /** Called before every write answers; lets a test kill somebody in the middle. */
  beforeAnswer: (call: RegistryCall) => Promise<void> = () => Promise.resolve();
  /** Tokens that are taken; every issued one is. */
  readonly tokens = new Set<string>();
  /** Number of writes by the operator. */
  writes = 0;
  private revision = 0n;
  private server: Server | undefined;

  /** A client without a network. */
  client(): RegistryClient {
    return createClient(AppRegistry, createRouterTransport((router) => this.routes(router)));
  }

  /** Serves the registry and the service-token endpoint as the Shell does; answers the Shell's origin. */
  async listen(port = 0): Promise<string> {
    const adapter = connectNodeAdapter({ routes: (router) => this.routes(router), requestPathPrefix: '/api' });
    this.server = createServer((request, response) => {
      if (request.url === '/api/auth/service-token') {
        const accessToken = `token-${this.tokens.size + 1}`;
        this.tokens.add(accessToken);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ accessToken, tokenType: 'Bearer', expiresIn: 3600 }));
        return;
      }
      if (!this.tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) {
        response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ code: 'unauthenticated', message: 'unknown token' }));
        return;
      }
      adapter(request, response);
    });
    await new Promise<void>((resolve, reject) => this.server?.once('error', reject).listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** An administrator changes an entry behind the operator's back. */
  edit(slug: string, change: (app: App) => void): void {
    const entry = this.mustHave(slug);
    if (!entry.app) throw new Error('entry without app');
    change(entry.app);
    entry.revision = ++this.revision;
  }

  /** An entry that administrators or a seed manage. */
  seed(app: MessageInitShape<typeof AppSchema>, managedBy: 'api' | 'seed' = 'api'): void {
    const made = normalized(create(AppSchema, app));
    this.entries.set(made.slug, create(AppEntrySchema, { id: `id-${made.slug}`, app: made, managedBy, revision: ++this.revision }));
  }

  private routes(router: ConnectRouter): void {
    const service: ServiceImpl<typeof AppRegistry> = {
      applyApp: (request) => this.applied(request),
      applyApps: async ({ calls }) => ({ answers: await this.eachOf(calls, async (call) => ({ applied: await this.applied(call) })) }),
      rollOutApp: async ({ apply }) => {
        if (this.isBeforeRollOuts) throw new ConnectError('there is no such call', Code.Unimplemented);
        const { app, source, force } = required(apply, 'apply');
        return { applied: await this.apply('RollOutApp', required(app, 'app'), required(source, 'source'), force) };
      },
      planApp: async ({ app, source, force }) => this.plan(this.understood(required(app, 'app')), required(source, 'source'), force),
      removeApp: (request) => this.remove(request, required(request.source, 'source')),
      listApps: async (request) => this.list(request),
      reportApp: (request) => this.reported(request),
      reportApps: async ({ calls }) => ({ answers: await this.eachOf(calls, async (call) => ({ reported: await this.reported(call) })) }),
      getApiBaseline: async ({ slug, source }) => this.baseline(slug, required(source, 'source')),
    };
    router.service(AppRegistry, service);
  }

  private async applied({ app, source, force }: ApplyAppRequest) {
    return this.apply('ApplyApp', this.understood(required(app, 'app')), this.understoodOf(required(source, 'source')), force);
  }

  private async reported(request: ReportAppRequest) {
    return this.report(request, required(request.source, 'source'), required(request.report, 'report'));
  }

  private eachOf<Call, Answer extends object>(calls: readonly Call[], make: (call: Call) => Promise<Answer>): Promise<(Answer | object)[]> {
    if (this.isBeforeRollOuts) throw new ConnectError('there is no such call', Code.Unimplemented);
    if (calls.length > 64) throw new ConnectError('calls: at most 64', Code.InvalidArgument);
    return Promise.all(calls.map((call) => make(call).catch(() => ({}))));
  }

  private understood(app: App): App {
    return this.isBeforeRollOuts ? create(AppSchema, { ...app, organizationPercent: 0, uiCanary: undefined }) : app;
  }

  private understoodOf(source: AppSource): AppSource {
    return this.isBeforeRollOuts ? create(AppSourceSchema, { ...source, step: '' }) : source;
  }

  private async apply(method: 'ApplyApp' | 'RollOutApp', given: App, source: AppSource, force: boolean) {
    this.failIfOut();
    const app = normalized(given);
    const entry = this.check(app, source, force);
    const differences = entry?.app ? differencesBetween(entry.app, app) : [];
    const applied = entry?.managedBy === 'operator' && entry.source?.uid === source.uid && entry.source.generation === source.generation && entry.source.step === source.step;
    const recorded = { ...source, installation: source.installation || (entry?.source?.installation ?? ''), deletionPolicy: source.deletionPolicy || (entry?.source?.deletionPolicy ?? '') };
    const known = applied && entry?.source?.installation === recorded.installation && entry.source.deletionPolicy === recorded.deletionPolicy;
    const stored = known && differences.length === 0 ? entry : this.put(app, recorded, entry?.id);
    const change = !entry ? Change.CREATED : differences.length > 0 ? Change.UPDATED : Change.UNCHANGED;
    await this.note({ method, slug: app.slug, change });
    return create(ApplyAppResponseSchema, { id: stored.id, change, revision: stored.revision, cachedRevision: this.cached(this.revision), differences, drifted: applied && differences.length > 0, reportDigest: this.reports.get(app.slug)?.digest ?? '' });
  }

  private put(app: App, source: AppSource, id = `id-${app.slug}`): AppEntry {
    this.writes += 1;
    const stored = create(AppEntrySchema, { id, app, managedBy: 'operator', source, revision: ++this.revision });
    this.entries.set(app.slug, stored);
    return stored;
  }

  private plan(given: App, source: AppSource, force: boolean) {
    this.failIfOut();
    const app = normalized(given);
    const entry = this.check(app, source, force);
    const differences = entry?.app ? differencesBetween(entry.app, app) : [];
    this.calls.push({ method: 'PlanApp', slug: app.slug });
    return create(PlanAppResponseSchema, { change: !entry ? Change.CREATED : differences.length > 0 ? Change.UPDATED : Change.UNCHANGED, differences, reportDigest: this.reports.get(app.slug)?.digest ?? '', rollsOut: !this.isBeforeRollOuts });
  }

  private async remove({ slug, orphan, ifRevision }: RemoveAppRequest, source: AppSource) {
    this.failIfOut();
    assertSource(source);
    const entry = this.entries.get(slug);
    if (!entry || !isOwnedBy(entry, source) || (ifRevision !== 0n && entry.revision !== ifRevision)) {
      await this.note({ method: 'RemoveApp', slug, change: Change.UNCHANGED });
      return create(RemoveAppResponseSchema, { change: Change.UNCHANGED, revision: 0n, cachedRevision: this.cached(this.revision) });
    }
    this.writes += 1;
    entry.revision = ++this.revision;
    entry.managedBy = 'api';
    entry.source = undefined;
    this.reports.delete(slug);
    this.baselines.delete(slug);
    if (!orphan) this.entries.delete(slug);
    const change = orphan ? Change.ORPHANED : Change.REMOVED;
    await this.note({ method: 'RemoveApp', slug, change });
    return create(RemoveAppResponseSchema, { change, revision: this.revision, cachedRevision: this.cached(this.revision) });
  }

  private async report({ slug, api }: ReportAppRequest, source: AppSource, report: AppReport) {
    this.failIfOut();
    if (this.refuseReports) throw new ConnectError('no reports today', this.refuseReports);
    if (report.digest === '' || report.observedGeneration < 1n) throw new ConnectError('report: digest and a generation of 1 or more are required', Code.InvalidArgument);
    const entry = this.owned(slug, source);
    const held = this.reports.get(slug);
    const written = held?.digest !== report.digest || (api !== undefined && this.baselines.get(slug)?.digest !== api.digest);
    if (written) this.reports.set(slug, report);
    if (api) this.baselines.set(slug, api);
    if (written && (held?.degraded ?? false) !== report.degraded) entry.revision = ++this.revision;
    await this.note({ method: 'ReportApp', slug });
    return create(ReportAppResponseSchema, { written, revision: entry.revision, cachedRevision: this.cached(this.revision) });
  }

  private baseline(slug: string, source: AppSource) {
    this.failIfOut();
    this.owned(slug, source);
    this.calls.push({ method: 'GetApiBaseline', slug });
    return create(GetApiBaselineResponseSchema, { api: this.baselines.get(slug) ?? {} });
  }

  private list({ slug, managedBy, installation, pageSize, pageToken }: ListAppsRequest) {
    this.failIfOut();
    if (pageSize < 0 || pageSize > MAX_PAGE) throw new ConnectError(`page_size: must be 1 to ${MAX_PAGE}`, Code.InvalidArgument);
    this.calls.push({ method: 'ListApps', slug });
    const found = [...this.entries]
      .filter(([key, entry]) => (slug === '' || key === slug) && (managedBy === '' || entry.managedBy === managedBy) && (installation === '' || entry.source?.installation === installation) && key > pageToken)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const page = found.slice(0, pageSize || MAX_PAGE);
    const apps = page.map(([, entry]) => create(AppEntrySchema, { ...entry, cachedRevision: this.cached(entry.revision) }));
    return create(ListAppsResponseSchema, { apps, nextPageToken: found.length > page.length ? (page.at(-1)?.[0] ?? '') : '' });
  }

  /** The entry that stands there; throws what the contract says about it. */
  private check(app: App, source: AppSource, force: boolean): AppEntry | undefined {
    if (!/^[a-z][a-z0-9-]*[a-z0-9]$/.test(app.slug)) throw new ConnectError('slug: must be lower-case letters, digits and dashes', Code.InvalidArgument);
    assertSource(source);
    const entry = this.entries.get(app.slug);
    assertOwned(entry, source, force);
    assertRollOut(app);
    this.assertDeclarable(app);
    return entry;
  }

  private owned(slug: string, source: AppSource): AppEntry {
    assertSource(source);
    const entry = this.entries.get(slug);
    if (!entry) throw new ConnectError(`there is no app ${slug}`, Code.NotFound);
    assertOwned(entry, source, false);
    return entry;
  }

  /** First names of permissions and limit keys belong to one app. */
  private assertDeclarable(app: App): void {
    const others = [...this.entries].filter(([slug]) => slug !== app.slug);
    const taken = new Set(others.flatMap(([slug, entry]) => [slug, ...declaredNames(entry.app)]));
    const foreign = declaredNames(app).find((name) => name !== app.slug && taken.has(name));
    if (foreign !== undefined) throw new ConnectError(`names that begin with ${foreign} belong to another app`, Code.AlreadyExists);
  }

  private cached(revision: bigint): bigint {
    if (this.cacheLag === 'away') return 0n;
    const lagging = revision - BigInt(this.cacheLag);
    return lagging > 0n ? lagging : 0n;
  }

  private async note(call: RegistryCall): Promise<void> {
    this.calls.push(call);
    await this.beforeAnswer(call);
  }

  private failIfOut(): void {
    if (this.outage) throw this.outage;
  }

  private mustHave(slug: string): AppEntry {
    const entry = this.entries.get(slug);
    if (!entry) throw new Error(`no entry ${slug}`);
    return entry;
  }
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ConnectError(`${name} is required`, Code.InvalidArgument);
  return value;
}

/** Of this object, or of one that had its namespace and name: deleted and made again while the operator was away. Not one of another installation. */
function isOwnedBy({ managedBy, source: owner }: AppEntry, source: AppSource): boolean {
  if (managedBy !== 'operator' || owner === undefined) return false;
  const together = owner.installation === '' || source.installation === owner.installation;
  return owner.uid === source.uid || (owner.namespace === source.namespace && owner.name === source.name && together);
}

function assertOwned(entry: AppEntry | undefined, source: AppSource, force: boolean): void {
  if (entry && entry.managedBy !== 'operator' && !force) throw new ConnectError(`the entry ${entry.app?.slug} is managed by ${entry.managedBy}`, Code.FailedPrecondition);
  if (entry?.managedBy === 'operator' && !isOwnedBy(entry, source)) throw new ConnectError(`slug ${entry.app?.slug} belongs to another source`, Code.AlreadyExists);
  if (entry?.source?.uid === source.uid && entry.source.generation > source.generation) throw new ConnectError('a newer generation was already applied', Code.FailedPrecondition);
}

function assertSource({ uid, name, generation, deletionPolicy, step }: AppSource): void {
  if (!['', 'Delete', 'Orphan'].includes(deletionPolicy)) throw new ConnectError('source.deletion_policy: must be Delete, Orphan or empty', Code.InvalidArgument);
  if (step.length > 64) throw new ConnectError('source.step: must be at most 64 characters', Code.InvalidArgument);
  if (uid === '' || name === '' || generation < 1n) throw new ConnectError('source: uid, name and a generation of 1 or more are required', Code.InvalidArgument);
}

function assertRollOut({ organizationPercent, uiCanary }: App): void {
  for (const percent of [organizationPercent, ...(uiCanary ? [uiCanary.percent] : [])]) {
    if (percent < 1 || percent > 100) throw new ConnectError('organizationPercent, uiCanary.percent: must be 1 to 100', Code.InvalidArgument);
  }
}

function declaredNames(app: App | undefined): string[] {
  return [...(app?.permissions ?? []).map(({ code }) => code), ...(app?.limitKeys ?? []).map(({ key }) => key)].map((name) => name.split(/[.:]/)[0] ?? '');
}
