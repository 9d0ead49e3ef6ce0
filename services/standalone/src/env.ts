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
    DRIVE_DATABASE_URL: z.string().optional(),
    REDIS_URL: z.string().optional(),
    APP_ENV_PUBLIC_URL: z.string().optional(),
    APP_ENV_ADMIN_EMAIL: z.email().default('admin@platform.local'),
    APP_ENV_OUTBOUND_ALLOW: envList.default([]),
    APP_ENV_MAIL_OUTBOX: z.string().optional(),
    APP_ENV_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  })
  .refine((env) => (env.DATABASE_URL === undefined) === (env.DRIVE_DATABASE_URL === undefined), { path: ['DRIVE_DATABASE_URL'], error: 'is given together with DATABASE_URL or not at all: each service has a database of its own' })
  .transform((env) => ({
    port: env.PORT,
    dataFolder: resolve(env.DATA_DIR),
    logToStdout: env.LOG === 'stdout',
    /** Of servers that are not ours; undefined: embedded. */
    databaseUrls: env.DATABASE_URL === undefined || env.DRIVE_DATABASE_URL === undefined ? undefined : { shell: env.DATABASE_URL, drive: env.DRIVE_DATABASE_URL },
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
  /** Those of Drive. */
  readonly driveOptions: Readonly<Record<string, string>>;
}

/** What the Shell may be told and this process has no word in. */
const SHELL_OPTION = /^APP_ENV_(IDP_|SMTP_|MAIL_FROM$|LIMIT_|TRUSTED_PROXIES$|RESPONSE_ENVELOPE$|PASSWORD_COST$|KEY_ROTATION_DAYS$|PAYMENT_|STRIPE_|TRIAL_DAYS$)/;

const DRIVE_OPTION = /^APP_ENV_(STORAGE|S3_|MAX_FILE_BYTES$|DEFAULT_ROLE$|DIRECT_DOWNLOADS$|SHARE_BASE_URL$|TRUSTED_PROXIES$)/;

/** Configuration of the whole platform in one process; throws InvalidEnvironment with every problem. */
export function readStandaloneConfig(env: Readonly<Record<string, string | undefined>>): StandaloneConfig {
  const matching = (pattern: RegExp): Record<string, string> => Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => pattern.test(entry[0]) && entry[1] !== undefined));
  return { ...readEnvironment(Environment, env), shellOptions: matching(SHELL_OPTION), driveOptions: matching(DRIVE_OPTION) };
}

/** The environment of this process; nothing else here reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
