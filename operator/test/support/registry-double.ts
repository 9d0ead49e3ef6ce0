import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clone, create, toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  AppEntrySchema, AppRegistry, AppSchema, ApplyAppResponseSchema, Change, FieldDifferenceSchema, ListAppsResponseSchema, PlanAppResponseSchema, RemoveAppResponseSchema,
  type App, type AppEntry, type AppSource, type FieldDifference,
} from '@satellite/proto/registry/v1';
import type { RegistryClient } from '../../src/controllers/satellite-app/registry-client.js';

/** One call as the registry saw it. */
export interface RegistryCall {
  readonly method: 'ApplyApp' | 'PlanApp' | 'RemoveApp' | 'ListApps';
  readonly slug: string;
  readonly change?: Change;
}

/**
 * The Shell's registry by its contract, in memory: for tests of the operator alone. It keeps state, refuses what the
 * contract refuses, and fails on anything it does not know.
 */
export class RegistryDouble {
  readonly entries = new Map<string, AppEntry>();
  readonly calls: RegistryCall[] = [];
  /** How far the cache is behind the registry: a number of revisions, or away. */
  cacheLag: number | 'away' = 0;
  /** Every call fails with this while it is set. */
  outage: ConnectError | undefined;
  /** Called before every write answers; lets a test kill somebody in the middle. */
  beforeAnswer: (call: RegistryCall) => Promise<void> = () => Promise.resolve();
  /** Tokens that are taken; every issued one is. */
  readonly tokens = new Set<string>();
  private readonly generations = new Map<string, bigint>();
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

  /** Number of writes that changed something. */
  get writes(): number {
    return this.calls.filter(({ change }) => change !== undefined && change !== Change.UNCHANGED).length;
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
    const made = create(AppSchema, app);
    this.entries.set(made.slug, create(AppEntrySchema, { id: `id-${made.slug}`, app: made, managedBy, revision: ++this.revision }));
  }

  private routes(router: ConnectRouter): void {
    const service: ServiceImpl<typeof AppRegistry> = {
      applyApp: ({ app, source, force }) => this.apply(required(app, 'app'), required(source, 'source'), force),
      planApp: async ({ app, source, force }) => this.plan(required(app, 'app'), required(source, 'source'), force),
      removeApp: ({ slug, source, orphan }) => this.remove(slug, required(source, 'source'), orphan),
      listApps: async ({ slug }) => this.list(slug),
    };
    router.service(AppRegistry, service);
  }

  private async apply(app: App, source: AppSource, force: boolean) {
    this.failIfOut();
    const entry = this.check(app, source, force);
    const differences = differencesOf(entry?.app, app);
    const known = this.generations.get(source.uid);
    const change = entry ? (differences.length > 0 || entry.managedBy !== 'operator' ? Change.UPDATED : Change.UNCHANGED) : Change.CREATED;
    const drifted = change === Change.UPDATED && known === source.generation;
    if (change !== Change.UNCHANGED) this.revision += 1n;
    const revision = change === Change.UNCHANGED && entry ? entry.revision : this.revision;
    const stored = create(AppEntrySchema, { id: entry?.id ?? `id-${app.slug}`, app: clone(AppSchema, app), managedBy: 'operator', source, revision });
    this.entries.set(app.slug, stored);
    this.generations.set(source.uid, source.generation);
    await this.note({ method: 'ApplyApp', slug: app.slug, change });
    return create(ApplyAppResponseSchema, { id: stored.id, change, revision, cachedRevision: this.cached(this.revision), differences, drifted });
  }

  private plan(app: App, source: AppSource, force: boolean) {
    this.failIfOut();
    const entry = this.check(app, source, force);
    const differences = differencesOf(entry?.app, app);
    this.calls.push({ method: 'PlanApp', slug: app.slug });
    return create(PlanAppResponseSchema, { change: entry ? (differences.length > 0 ? Change.UPDATED : Change.UNCHANGED) : Change.CREATED, differences });
  }

  private async remove(slug: string, source: AppSource, orphan: boolean) {
    this.failIfOut();
    const entry = this.entries.get(slug);
    const ours = entry?.source?.uid === source.uid && entry.managedBy === 'operator';
    const change = !ours ? Change.UNCHANGED : orphan ? Change.ORPHANED : Change.REMOVED;
    if (ours) {
      entry.revision = ++this.revision;
      entry.managedBy = 'api';
      if (!orphan) this.entries.delete(slug);
    }
    await this.note({ method: 'RemoveApp', slug, change });
    return create(RemoveAppResponseSchema, { change, revision: this.revision, cachedRevision: this.cached(this.revision) });
  }

  private list(slug: string) {
    this.failIfOut();
    this.calls.push({ method: 'ListApps', slug });
    const apps = [...this.entries.values()].filter((entry) => slug === '' || entry.app?.slug === slug).map((entry) => create(AppEntrySchema, { ...entry, cachedRevision: this.cached(entry.revision) }));
    return create(ListAppsResponseSchema, { apps });
  }

  private check(app: App, source: AppSource, force: boolean): AppEntry | undefined {
    if (!/^[a-z][a-z0-9-]*[a-z0-9]$/.test(app.slug)) throw new ConnectError('app.slug: must be lower-case letters, digits and dashes', Code.InvalidArgument);
    const entry = this.entries.get(app.slug);
    if (entry?.managedBy === 'operator' && entry.source?.uid !== source.uid) throw new ConnectError(`slug ${app.slug} belongs to another source`, Code.AlreadyExists);
    if (entry && entry.managedBy !== 'operator' && !force) throw new ConnectError(`the entry ${app.slug} is managed by ${entry.managedBy}`, Code.FailedPrecondition);
    if ((this.generations.get(source.uid) ?? 0n) > source.generation) throw new ConnectError('a newer generation was already applied', Code.FailedPrecondition);
    return entry;
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

function differencesOf(before: App | undefined, after: App): FieldDifference[] {
  const [old, next] = [before, after].map((app) => (app ? (toJson(AppSchema, app) as Record<string, unknown>) : {})) as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
    .map((field) => create(FieldDifferenceSchema, { field, before: JSON.stringify(old[field]) ?? '', after: JSON.stringify(next[field]) ?? '' }));
}
