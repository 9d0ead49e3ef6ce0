import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@satellite/kit/embedded';
import { query } from '@satellite/kit/testing';
import type { BenchTools } from '../bench.js';
import { startRedis } from './redis.js';
import { ServerProcess } from './server-process.js';

const ADMIN = { email: 'admin@platform.test', password: randomBytes(12).toString('hex') };

/** A real Shell in a process of its own, on a durable PostgreSQL and a Redis. */
export interface BenchShell {
  readonly server: ServerProcess;
  /** Of the Shell's own database. */
  readonly databaseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A further database on the same server; answers with its address. */
  createDatabase(name: string): Promise<string>;
  /** Number of registry writes so far. */
  writes(): Promise<number>;
  /** A request as the administrator; throws unless it succeeds. */
  asAdmin(method: string, path: string, body: object): Promise<void>;
}

/** Starts PostgreSQL, Redis and the Shell with its production defaults, logging each request to a file. */
export async function startShell(tools: BenchTools, environment: Readonly<Record<string, string>> = {}): Promise<BenchShell> {
  const { folder, say, atEnd } = tools;
  say('starting PostgreSQL, Redis and the Shell');
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  atEnd(() => postgres.stop(true));
  const databaseUrl = await postgres.createDatabase('shell');
  const clientSecret = randomBytes(24).toString('hex');
  const server = await ServerProcess.start({
    name: 'Shell',
    script: fileURLToPath(new URL('../../../../services/shell/dist/src/main.js', import.meta.url)),
    portVariable: 'APP_ENV_PORT',
    readyPath: '/readyz',
    folder,
    environment: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: await startRedis(tools),
      APP_ENV_PUBLIC_URL: 'http://platform.test',
      APP_ENV_JWT_ISSUER: 'http://platform.test',
      APP_ENV_JWT_AUDIENCE: 'platform',
      APP_ENV_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      APP_ENV_ADMIN_EMAIL: ADMIN.email,
      APP_ENV_ADMIN_PASSWORD: ADMIN.password,
      APP_ENV_OPERATOR_CLIENT_SECRET: clientSecret,
      APP_ENV_MAIL_OUTBOX: join(folder, 'outbox'),
      ...environment,
    },
  });
  atEnd(() => server.stop());
  let token: string | undefined;
  return {
    server,
    databaseUrl,
    createDatabase: (name) => postgres.createDatabase(name),
    clientId: 'operator',
    clientSecret,
    async writes() {
      const { rows } = await query(databaseUrl, 'select revision::int from registry_state');
      return (rows[0] as { revision: number }).revision;
    },
    async asAdmin(method, path, body) {
      token ??= ((await send(server.url, 'POST', '/api/auth/local-login', { usernameOrEmail: ADMIN.email, password: ADMIN.password })) as { data: { accessToken: string } }).data.accessToken;
      await send(server.url, method, path, body, token);
    },
  };
}

async function send(url: string, method: string, path: string, body: object, token?: string): Promise<unknown> {
  const response = await fetch(url + path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) } });
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
  return response.json();
}
