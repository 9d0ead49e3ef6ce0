import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST as DRIVE_MANIFEST, type Drive } from '@satellite/drive';
import { connectRedis, type Redis } from '@satellite/kit/cache';
import { isAppError } from '@satellite/kit/core';
import { createEmbeddedRedis, lockFile, startEmbeddedPostgres, type FileLock } from '@satellite/kit/embedded';
import type { HostParts } from '@satellite/kit/service';
import { startDirectoryOperator } from '@satellite/operator';
import { createShell, readConfig, type Shell } from '@satellite/shell';
import { Closers } from './closers.js';
import { DRIVE_CLIENT, startDrive } from './drive.js';
import type { StandaloneConfig } from './env.js';
import { DataFolderUnwritable, PartEnded } from './errors.js';
import { openHttpServer } from './http-server.js';
import { openLogFile, type LogFile } from './log-file.js';
import { SAMPLE_MANIFESTS } from './samples/index.js';
import { prepareSatellitesFolder } from './satellites-folder.js';
import { loadSecrets, type Secrets } from './secrets.js';
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
  create(service: 'shell' | 'drive'): Promise<string>;
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
  const { log, secrets, satellitesFolder } = await openDataFolder(context);
  const database = await openDatabase(context, log);
  const redis = await openRedis(context, log);
  step('starting the Shell');
  const shell = await openShell(context, { databaseUrl: await database.create('shell'), parts: { redis, logger: log.logger('shell') }, secrets });
  const site = createSite(shell.app, { platformUrl: `http://127.0.0.1:${config.port}`, bundled: ['drive'] });
  http.serve(site.handler);
  step('starting Drive');
  const drive = await openDrive(context, { log, redis, secrets, databaseUrl: await database.create('drive') });
  site.mount('drive', drive.app);
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

async function openDataFolder({ config, closers }: Context): Promise<{ log: LogFile; secrets: Secrets; satellitesFolder: string }> {
  const log = await openLogFile(join(config.dataFolder, 'logs', 'platform.log'), { level: config.logLevel, alsoStdout: config.logToStdout });
  closers.addQuietly('log', () => log.close());
  const secrets = await loadSecrets(config.dataFolder, existsSync(join(config.dataFolder, 'postgres', 'data')));
  const satellitesFolder = await prepareSatellitesFolder(config.dataFolder, { drive: DRIVE_MANIFEST, ...SAMPLE_MANIFESTS });
  return { log, secrets, satellitesFolder };
}

async function openDatabase({ config, step, closers }: Context, log: LogFile): Promise<Databases> {
  if (config.databaseUrls) return { create: (service) => Promise.resolve(config.databaseUrls?.[service] ?? ''), failed: new Promise(() => undefined) };
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
    APP_ENV_APP_CLIENTS: JSON.stringify([{ slug: 'drive', clientId: DRIVE_CLIENT, clientSecret: given.secrets.driveClientSecret }]),
    APP_ENV_OUTBOUND_ALLOW: config.outboundAllow.join(','),
    APP_ENV_MAIL_OUTBOX: config.outboxFolder,
    APP_ENV_PAYMENT_PROCESSOR: 'local',
    APP_ENV_PAYMENT_WEBHOOK_URL: `http://127.0.0.1:${config.port}/api/subscriptions/webhook`,
    ...config.shellOptions,
    APP_ENV_LOG_LEVEL: config.logLevel,
  });
  const shell = await createShell(shellConfig, given.parts);
  closers.add('Shell', () => shell.close());
  return shell;
}

async function openDrive({ config, closers }: Context, given: { log: LogFile; redis: Redis; secrets: Secrets; databaseUrl: string }): Promise<Drive> {
  const { log, redis, secrets, databaseUrl } = given;
  const drive = await startDrive({ databaseUrl, redis, logger: log.logger('drive'), secrets, dataFolder: config.dataFolder, shellUrl: `http://127.0.0.1:${config.port}`, publicUrl: config.publicUrl, audience: AUDIENCE, options: { ...config.driveOptions, APP_ENV_LOG_LEVEL: config.logLevel } });
  closers.add('Drive', () => drive.close());
  return drive;
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
    logger: log.logger('operator'),
  });
  closers.add('operator', () => operator.stop());
}
