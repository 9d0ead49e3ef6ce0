import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from '@satellite/kit/cache';
import { createLogger, type Logger } from '@satellite/kit/telemetry';
import { cloneDatabase, createTestRedis, TestHttp, type Requests, type TestDatabase } from '@satellite/kit/testing';
import { createShell, readConfig, type Shell } from '../../src/index.js';

export const ADMIN = { email: 'admin@platform.test', password: 'a quite long password' };
export const OPERATOR = { clientId: 'operator', clientSecret: 'operator-secret-of-the-tests' };

type Environment = Record<string, string>;

function environment(databaseUrl: string, extra: Environment): Environment {
  return {
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
    APP_ENV_PAYMENT_PROCESSOR: 'local',
    APP_ENV_PAYMENT_WEBHOOK_URL: 'http://127.0.0.1:9/nobody-listens', // the tests of payment set their own
    APP_ENV_MAIL_OUTBOX: join(tmpdir(), `shell-outbox-${randomUUID()}`),
    // every request of the tests comes from one address; the tests of the limits set their own
    APP_ENV_LIMIT_LOGIN_PER_MINUTE: '100000', APP_ENV_LIMIT_RESET_PER_MINUTE: '100000', APP_ENV_LIMIT_REGISTER_PER_MINUTE: '100000', APP_ENV_LIMIT_TOKEN_PER_MINUTE: '100000', APP_ENV_LIMIT_ONBOARDING_PER_MINUTE: '100000',
    ...extra,
  };
}

async function openShell(databaseUrl: string, redis: Redis, extra: Environment = {}, logger?: Logger): Promise<Shell> {
  return createShell(readConfig(environment(databaseUrl, extra)), { redis, logger: logger ?? createLogger({ service: 'shell', level: 'silent' }), processMetrics: false });
}

/** A Shell that listens, with its own database and cache. */
export class TestShell {
  private constructor(
    readonly shell: Shell,
    readonly redis: Redis,
    readonly database: TestDatabase,
    private readonly http: TestHttp,
    private readonly owned: boolean,
    private readonly others: TestShell[] = [],
    private stopped: Promise<void> | undefined = undefined,
  ) {}

  static async start(extra: Environment = {}, logger?: Logger): Promise<TestShell> {
    const database = await cloneDatabase({
      name: 'shell',
      migrate: async (url) => {
        const redis = await createTestRedis();
        await (await openShell(url, redis)).close();
        redis.disconnect();
      },
    });
    return TestShell.on(database, await createTestRedis(), extra, true, logger);
  }

  /** Another process's worth of Shell on the same database and cache. */
  async second(extra: Environment = {}, logger?: Logger): Promise<TestShell> {
    const shell = await TestShell.on(this.database, this.redis, extra, false, logger);
    this.others.push(shell);
    return shell;
  }

  private static async on(database: TestDatabase, redis: Redis, extra: Environment, owned: boolean, logger?: Logger): Promise<TestShell> {
    const shell = await openShell(database.url, redis, extra, logger);
    return new TestShell(shell, redis, database, await TestHttp.listen(shell.app), owned);
  }

  get url(): string {
    return this.http.url;
  }

  /** Requests as this bearer, or as nobody. */
  as(token?: string): Requests {
    return this.http.as(token);
  }

  query<Row extends object>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.shell.container.db.query<Row>(sql, params);
  }

  /** An organization, and a signed-in member with exactly these permissions. */
  async organization(slug = `org-${randomUUID().slice(0, 8)}`): Promise<{ id: string; slug: string; member: (permissions?: readonly string[]) => Promise<string> }> {
    const id = randomUUID();
    await this.query(`insert into organizations (id, name, slug, type, subscription_plan, created_at, updated_at) values (?, ?, ?, 'company', 'HOBBY', now(), now())`, [id, slug, slug]);
    return { id, slug, member: (permissions = []) => this.member(id, permissions) };
  }

  private async member(organizationId: string, permissions: readonly string[]): Promise<string> {
    const [userId, roleId, sid] = [randomUUID(), randomUUID(), randomUUID()];
    const email = `${userId}@example.org`;
    await this.query(`insert into users (id, organization_id, email, username, first_name, last_name, created_at, updated_at) values (?, ?, ?, ?, 'Ann', 'Example', now(), now())`, [userId, organizationId, email, userId]);
    await this.query(`insert into roles (id, organization_id, name, created_at, updated_at) values (?, ?, ?, now(), now())`, [roleId, organizationId, roleId]);
    await this.query(`insert into role_permissions (role_id, permission) select ?::uuid, * from unnest(?::text[])`, [roleId, [...permissions]]);
    await this.query(`insert into user_roles (user_id, role_id, granted_at) values (?, ?, now())`, [userId, roleId]);
    await this.query(`insert into sessions (id, user_id, organization_id, created_at, expires_at) values (?, ?, ?, now(), now() + interval '1 day')`, [sid, userId, organizationId]);
    const issued = await this.shell.container.tokens.issueForUser({ sub: userId, email, username: userId, firstName: 'Ann', lastName: 'Example', roles: [], organizationId, sid });
    return issued.accessToken;
  }

  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async shutDown(): Promise<void> {
    for (const other of this.others) await other.stop(); // also those that a failed test left
    await this.http.close();
    await this.shell.close();
    if (!this.owned) return;
    this.redis.disconnect();
    await this.database.drop();
  }
}

/** Starts a Shell before the tests of a file and stops it after them. */
export function useShell(extra: Environment | (() => Promise<Environment>) = {}): () => TestShell {
  let shell: TestShell | undefined;
  beforeAll(async () => {
    shell = await TestShell.start(typeof extra === 'function' ? await extra() : extra);
  });
  afterAll(async () => {
    await shell?.stop();
  });
  return () => {
    if (!shell) throw new Error('the Shell is there from beforeAll on');
    return shell;
  };
}
