import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from '@satellite/kit/cache';
import { cloneDatabase, createTestRedis, query, type TestDatabase } from '@satellite/kit/testing';
import { createShell, readConfig, type Shell } from '@satellite/shell';
import { silentLogger } from './silent-logger.js';

const ADMIN = { email: 'admin@platform.test', password: 'a quite long password' };
const OPERATOR = { clientId: 'operator', clientSecret: 'operator-secret-of-the-tests' };

/** A row of the registry. */
export interface RegistryRow {
  readonly id: string;
  readonly name: string;
  readonly managedBy: string;
  /** `namespace/name` of the object; empty when there is none. */
  readonly sourceName: string;
  readonly revision: number;
}

/** An entry as it lies in Redis. */
export interface CachedRow {
  readonly revision: number;
  /** Undefined when the slug was removed. */
  readonly app: { readonly name: string; readonly apiUrl: string } | undefined;
}

/** An entry as `GET /api/admin/apps` and `GET /api/config/apps` list it. */
export interface ListedApp {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly managedBy: string;
  readonly revision: number;
  readonly version: string | null;
  readonly uiUrl: string | null;
  readonly organizationPercent?: number;
  readonly uiCanary?: { readonly version: string | null; readonly uiUrl: string | null; readonly percent: number } | null;
  /** Of the launchpad: active or degraded. */
  readonly status: string;
  /** Of the registry only. */
  readonly effectiveStatus?: string;
  readonly report?: { readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[]; readonly observedVersion: string | null; readonly degraded: boolean } | null;
}

/** A real Shell with its own database and Redis, and the power to take it down and to lose what is cached. */
export class ShellPlatform {
  readonly clientId = OPERATOR.clientId;
  readonly clientSecret = OPERATOR.clientSecret;
  private running: { readonly shell: Shell; readonly server: Server } | undefined;
  private port = 0;
  private adminToken: string | undefined;

  private constructor(
    private readonly database: TestDatabase,
    private readonly redis: Redis,
  ) {}

  static async start(): Promise<ShellPlatform> {
    const database = await cloneDatabase({ name: 'registry', migrate });
    const platform = new ShellPlatform(database, await createTestRedis());
    await platform.comeBack();
    return platform;
  }

  /** Origin of the Shell. */
  get shellUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The Shell ends as its process would: connections cut, nothing kept in memory. Database and Redis stay. */
  async goDown(): Promise<void> {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    await new Promise<void>((resolve) => {
      running.server.close(() => resolve());
      running.server.closeAllConnections();
    });
    await running.shell.close();
  }

  /** A new Shell at the same address, on the same database. */
  async comeBack(): Promise<void> {
    const shell = await openShell(this.database.url, this.redis);
    const server = createServer(shell.app);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.running = { shell, server };
  }

  async close(): Promise<void> {
    await this.goDown();
    this.redis.disconnect();
    await this.database.drop();
  }

  /** The registry's row of this slug; undefined when there is none. */
  async entry(slug: string): Promise<RegistryRow | undefined> {
    const { rows } = await query(
      this.database.url,
      `select id, name, managed_by as "managedBy", coalesce(source_namespace || '/' || source_name, '') as "sourceName", revision::int from apps where slug = $1`,
      [slug],
    );
    return rows[0] as RegistryRow | undefined;
  }

  /** Slugs of all rows. */
  async slugs(): Promise<string[]> {
    const { rows } = await query(this.database.url, 'select slug from apps order by slug');
    return (rows as { slug: string }[]).map(({ slug }) => slug);
  }

  /** Number of registry writes so far, by anybody. */
  async writes(): Promise<number> {
    const { rows } = await query(this.database.url, 'select revision::int from registry_state');
    return (rows[0] as { revision: number }).revision;
  }

  /** The Redis entry of this slug; undefined when there is none. */
  async cached(slug: string): Promise<CachedRow | undefined> {
    const text = await this.redis.hget('shell:registry:2', `app:${slug}`);
    if (text === null) return undefined;
    const [revision = '', json = ''] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    return { revision: Number(revision), app: json === '' ? undefined : (JSON.parse(json) as CachedRow['app']) };
  }

  /** Redis forgets everything, as after a restart without persistence. */
  async loseRedis(): Promise<void> {
    await this.redis.flushall();
  }

  /** Redis forgets one entry, and does not know it. */
  async loseCachedEntry(slug: string): Promise<void> {
    await this.redis.hdel('shell:registry', `app:${slug}`);
  }

  /** The Shell reaches Redis no more, until the result is called. */
  takeRedisAway(): () => Promise<void> {
    this.redis.disconnect();
    return () => this.redis.connect();
  }

  /** `GET /api/config/apps`, as anybody. */
  launchpad(): Promise<ListedApp[]> {
    return this.send<ListedApp[]>('GET', '/api/config/apps');
  }

  /** `GET /api/admin/apps` as the seeded administrator. */
  async adminApp(slug: string): Promise<ListedApp | undefined> {
    const apps = await this.asAdmin<ListedApp[]>('GET', '/api/admin/apps?limit=100');
    return apps.find((app) => app.slug === slug);
  }

  /** A request as the seeded administrator; answers what is in the envelope. */
  async asAdmin<T>(method: string, path: string, body?: object): Promise<T> {
    this.adminToken ??= (await this.send<{ accessToken: string }>('POST', '/api/auth/local-login', { usernameOrEmail: ADMIN.email, password: ADMIN.password })).accessToken;
    return this.send<T>(method, path, body, this.adminToken);
  }

  private async send<T>(method: string, path: string, body?: object, token?: string): Promise<T> {
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(this.shellUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  }
}

function openShell(databaseUrl: string, redis: Redis): Promise<Shell> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    APP_ENV_PUBLIC_URL: 'http://platform.test',
    APP_ENV_JWT_ISSUER: 'http://platform.test',
    APP_ENV_JWT_AUDIENCE: 'platform',
    APP_ENV_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    APP_ENV_ADMIN_EMAIL: ADMIN.email,
    APP_ENV_ADMIN_PASSWORD: ADMIN.password,
    APP_ENV_OPERATOR_CLIENT_SECRET: OPERATOR.clientSecret,
    APP_ENV_LOG_LEVEL: 'silent',
    APP_ENV_PASSWORD_COST: '4',
    APP_ENV_MAIL_OUTBOX: join(tmpdir(), 'operator-tests-outbox'),
  });
  return createShell(config, { redis, logger: silentLogger, processMetrics: false });
}

async function migrate(databaseUrl: string): Promise<void> {
  const redis = await createTestRedis();
  await (await openShell(databaseUrl, redis)).close();
  redis.disconnect();
}
