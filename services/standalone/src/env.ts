import { join, resolve } from 'node:path';
import { z } from 'zod';
import { envList, readEnvironment } from '@satellite/kit/config';
import { LOG_LEVELS } from '@satellite/kit/telemetry';

const Environment = z
  .object({
    PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65535).default(8080),
    DATA_DIR: z.string().default('.data'),
    LOG: z.enum(['file', 'stdout'], { error: 'must be file or stdout' }).default('file'),
    DATABASE_URL: z.string().optional(),
    SATELLITE_FOLDERS: envList.default([]),
    REDIS_URL: z.string().optional(),
    APP_ENV_PUBLIC_URL: z.string().optional(),
    APP_ENV_ADMIN_EMAIL: z.email().default('admin@platform.local'),
    APP_ENV_OUTBOUND_ALLOW: envList.default([]),
    APP_ENV_MAIL_OUTBOX: z.string().optional(),
    APP_ENV_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  })
  .transform((env) => ({
    port: env.PORT,
    dataFolder: resolve(env.DATA_DIR),
    logToStdout: env.LOG === 'stdout',
    databaseUrl: env.DATABASE_URL,
    satelliteFolders: env.SATELLITE_FOLDERS,
    redisUrl: env.REDIS_URL,
    publicUrl: env.APP_ENV_PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}`,
    adminEmail: env.APP_ENV_ADMIN_EMAIL,
    outboxFolder: resolve(env.APP_ENV_MAIL_OUTBOX ?? join(env.DATA_DIR, 'outbox')),
    outboundAllow: [`127.0.0.1:${env.PORT}`, `localhost:${env.PORT}`, ...env.APP_ENV_OUTBOUND_ALLOW],
    logLevel: env.APP_ENV_LOG_LEVEL,
  }));

export interface StandaloneConfig extends z.output<typeof Environment> {
  /** Optional settings of the Shell, handed on as they were given; the Shell checks them. */
  readonly shellOptions: Readonly<Record<string, string>>;
  /** Optional settings of satellites; each takes what it knows. */
  readonly satelliteOptions: Readonly<Record<string, string>>;
  /** Address of a satellite's database on a server that is not ours, from `<SLUG>_DATABASE_URL`. */
  readonly satelliteDatabaseUrl: (slug: string) => string | undefined;
}

/** What the Shell may be told and this process has no word in. */
const SHELL_OPTION = /^APP_ENV_(IDP_|SMTP_|MAIL_FROM$|LIMIT_|TRUSTED_PROXIES$|RESPONSE_ENVELOPE$|PASSWORD_COST$|KEY_ROTATION_DAYS$|PAYMENT_|STRIPE_|TRIAL_DAYS$)/;

/** What satellites may be told: everything but what is decided here. */
const SATELLITE_OPTION = /^APP_ENV_(?!PUBLIC_URL$|JWT_|SHELL_URL$|CLIENT_|APP_SLUG$|HOST$|PORT$)/;

/** Configuration of the whole platform in one process; throws InvalidEnvironment with every problem. */
export function readStandaloneConfig(env: Readonly<Record<string, string | undefined>>): StandaloneConfig {
  const matching = (pattern: RegExp): Record<string, string> => Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => pattern.test(entry[0]) && entry[1] !== undefined));
  return { ...readEnvironment(Environment, env), shellOptions: matching(SHELL_OPTION), satelliteOptions: matching(SATELLITE_OPTION), satelliteDatabaseUrl: (slug) => env[`${slug.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`] };
}

/** The environment of this process; nothing else here reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
