import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { connectRedis, type Redis } from '@satellite/kit/cache';
import { isAppError } from '@satellite/kit/core';
import { createEmbeddedRedis, lockFile, startEmbeddedPostgres, type FileLock } from '@satellite/kit/embedded';
import type { HostParts } from '@satellite/kit/service';
import { startDirectoryOperator } from '@satellite/operator';
import { createShell, readConfig, type Shell } from '@satellite/shell';
import { Closers } from './closers.js';
import type { StandaloneConfig } from './env.js';
import { DatabaseMissing, DataFolderUnwritable, PartEnded } from './errors.js';
import { openHttpServer } from './http-server.js';
import { openLogFile, type LogFile } from './log-file.js';
import { SAMPLE_MANIFESTS } from './samples/index.js';
import { prepareSatellitesFolder } from './satellites-folder.js';
import { clientIdOf, findSatellites, startSatellite, type BundledSatellite } from './satellites.js';
import { loadSecrets, secretsOfSatellite, type Secrets } from './secrets.js';
import { createSite } from './site.js';

/** The running platform. */
export interface Platform {
  readonly adminPassword: string;
  readonly satellitesFolder: string;
  readonly logPath: string;
  /** Rejects when a part that everything needs has ended by itself. */
  readonly failed: Promise<never>;
  /** Stops the parts in the reverse order of their start. Force: without waiting for anybody. */
  stop(options?: { onClose?: (name: string) => void; force?: boolean }): Promise<void>;
}

/** `aud` of the tokens that people get when they sign in. */
const AUDIENCE = 'satellite-platform';

interface Context {
  readonly config: StandaloneConfig;
  readonly step: (title: string) => void;
  readonly closers: Closers;
}

/** One server with a database for each service. */
interface Databases {
  /** Makes the service's database unless it exists; answers with its address. */
  create(service: string): Promise<string>;
  /** Rejects when the server has ended by itself. */
  readonly failed: Promise<never>;
}

/** Starts every part; when one fails, those that run are stopped before the error is thrown. */
export async function startPlatform(config: StandaloneConfig, step: (title: string) => void, onProblem: (message: string) => void): Promise<Platform> {
  const closers = new Closers(onProblem);
  try {
    return await startParts({ config, step, closers });
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function startParts(context: Context): Promise<Platform> {
  const { config, step, closers } = context;
  step(`taking the data folder and port ${config.port}`);
  await lockDataFolder(context);
  const http = await openHttpServer(config.port);
  closers.addQuietly('port', (force) => http.close(force));
  const satellites = await findSatellites(config.satelliteFolders);
  const { log, secrets, satellitesFolder } = await openDataFolder(context, satellites);
  const database = await openDatabase(context, log);
  const redis = await openRedis(context, log);
  step('starting the Shell');
  const shell = await openShell(context, { databaseUrl: await database.create('shell'), parts: { redis, logger: log.logger('shell') }, secrets });
  const site = createSite(shell.app, { platformUrl: `http://127.0.0.1:${config.port}`, bundled: satellites.map(({ slug }) => slug) });
  http.serve(site.handler);
  for (const satellite of satellites) {
    step(`starting ${satellite.slug}`);
    site.mount(satellite.slug, await openSatellite(context, satellite, { log, redis, secrets, databaseUrl: await database.create(satellite.slug.replaceAll('-', '_')) }));
  }
  // The server was opened first to hold the port; from here on it must be drained before the services go.
  closers.add('HTTP', (force) => http.close(force));
  step('starting the operator');
  await openOperator(context, log, secrets, satellitesFolder);
  return { adminPassword: secrets.adminPassword, satellitesFolder, logPath: log.path, failed: database.failed, stop: (options) => closers.closeAll(options) };
}

/** Before the port: a second start in the same folder shall hear that the first one runs, not that a port is taken. */
async function lockDataFolder({ config, closers }: Context): Promise<void> {
  const lock = await takeFolder(config.dataFolder);
  closers.addQuietly('data folder', () => lock.release());
}

async function takeFolder(folder: string): Promise<FileLock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await lockFile(join(folder, 'run.lock'));
  } catch (error) {
    throw isAppError(error) ? error : new DataFolderUnwritable(folder, error as NodeJS.ErrnoException);
  }
}

async function openDataFolder({ config, closers }: Context, satellites: readonly BundledSatellite[]): Promise<{ log: LogFile; secrets: Secrets; satellitesFolder: string }> {
  const log = await openLogFile(join(config.dataFolder, 'logs', 'platform.log'), { level: config.logLevel, alsoStdout: config.logToStdout });
  closers.addQuietly('log', () => log.close());
  const secrets = await loadSecrets(config.dataFolder, existsSync(join(config.dataFolder, 'postgres', 'data')));
  for (const { slug, module } of satellites) await secretsOfSatellite(config.dataFolder, secrets, { slug, keys: module.keys });
  const satellitesFolder = await prepareSatellitesFolder(config.dataFolder, { ...Object.fromEntries(satellites.map(({ slug, manifest }) => [slug, manifest])), ...SAMPLE_MANIFESTS });
  return { log, secrets, satellitesFolder };
}

async function openDatabase({ config, step, closers }: Context, log: LogFile): Promise<Databases> {
  if (config.databaseUrl !== undefined) return { create: (service) => givenDatabase(config, service), failed: new Promise(() => undefined) };
  const folder = join(config.dataFolder, 'postgres');
  const server = await startEmbeddedPostgres({ folder, onStep: step });
  let stopping = false;
  closers.add('PostgreSQL', (force) => {
    stopping = true;
    return server.stop(force);
  });
  const failed = server.ended.then((reason) => {
    if (stopping) return new Promise<never>(() => undefined);
    const error = new PartEnded('PostgreSQL', reason, join(folder, 'server.log'));
    log.logger('standalone').fatal({ reason }, 'PostgreSQL ended by itself');
    throw error;
  });
  // Whoever waits for it hears it; until somebody does, it must not end the process as an unhandled rejection.
  failed.catch(() => undefined);
  return { create: (service) => server.createDatabase(service), failed };
}

/** On a server of somebody else each service has an address of its own: a database and a role a service. */
async function givenDatabase({ databaseUrl, satelliteDatabaseUrl }: StandaloneConfig, service: string): Promise<string> {
  const url = service === 'shell' ? databaseUrl : satelliteDatabaseUrl(service);
  if (url === undefined) throw new DatabaseMissing(`${service.toUpperCase()}_DATABASE_URL`);
  return url;
}

async function openRedis({ config, step, closers }: Context, log: LogFile): Promise<Redis> {
  step(config.redisUrl === undefined ? 'starting the in-process Redis' : 'connecting to Redis');
  const redis = config.redisUrl === undefined ? await createEmbeddedRedis() : connectRedis(config.redisUrl, log.logger('redis'));
  // A server that is gone cannot be told goodbye.
  closers.add('Redis', () => redis.quit().then(() => undefined, () => redis.disconnect()));
  return redis;
}

async function openShell({ config, closers }: Context, given: { databaseUrl: string; parts: HostParts; secrets: Secrets }): Promise<Shell> {
  const shellConfig = readConfig({
    DATABASE_URL: given.databaseUrl,
    APP_ENV_PUBLIC_URL: config.publicUrl,
    APP_ENV_JWT_ISSUER: config.publicUrl,
    APP_ENV_JWT_AUDIENCE: AUDIENCE,
    APP_ENV_KEY_ENCRYPTION_KEY: given.secrets.keyEncryptionKey,
    APP_ENV_ADMIN_EMAIL: config.adminEmail,
    APP_ENV_ADMIN_PASSWORD: given.secrets.adminPassword,
    APP_ENV_OPERATOR_CLIENT_SECRET: given.secrets.operatorClientSecret,
    APP_ENV_APP_CLIENTS: JSON.stringify(Object.entries(given.secrets.satellites).map(([slug, { clientSecret }]) => ({ slug, clientId: clientIdOf(slug), clientSecret }))),
    APP_ENV_OUTBOUND_ALLOW: config.outboundAllow.join(','),
    APP_ENV_MAIL_OUTBOX: config.outboxFolder,
    APP_ENV_STORAGE_FOLDER: join(config.dataFolder, 'files'),
    APP_ENV_PAYMENT_PROCESSOR: 'local',
    APP_ENV_PAYMENT_WEBHOOK_URL: `http://127.0.0.1:${config.port}/api/subscriptions/webhook`,
    ...config.shellOptions,
    APP_ENV_LOG_LEVEL: config.logLevel,
  });
  const shell = await createShell(shellConfig, given.parts);
  closers.add('Shell', () => shell.close());
  return shell;
}

async function openSatellite({ config, closers }: Context, satellite: BundledSatellite, given: { log: LogFile; redis: Redis; secrets: Secrets; databaseUrl: string }): Promise<RequestListener> {
  const { slug } = satellite;
  const { app, close } = await startSatellite(satellite, {
    databaseUrl: given.databaseUrl,
    redis: given.redis,
    logger: given.log.logger(slug),
    secrets: given.secrets.satellites[slug] ?? {},
    storageFolder: join(config.dataFolder, 'files', slug),
    shellUrl: `http://127.0.0.1:${config.port}`,
    publicUrl: config.publicUrl,
    audience: AUDIENCE,
    environment: { ...config.satelliteOptions, APP_ENV_LOG_LEVEL: config.logLevel },
  });
  closers.add(slug, close);
  return app;
}

async function openOperator({ config, closers }: Context, log: LogFile, secrets: Secrets, directory: string): Promise<void> {
  const url = `http://127.0.0.1:${config.port}`;
  const operator = await startDirectoryOperator({
    directory,
    shellUrl: url,
    clientId: 'operator',
    clientSecret: secrets.operatorClientSecret,
    platformUrl: url,
    outboundAllow: config.outboundAllow,
    installation: 'standalone',
    logger: log.logger('operator'),
  });
  closers.add('operator', () => operator.stop());
}
