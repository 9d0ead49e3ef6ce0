import { z } from 'zod';
import { envList, readEnvironment, serviceVariables } from '@satellite/kit/config';
import { checkStorage, storageVariables } from '@satellite/kit/storage';
import { shellVariables } from '@satellite/kit/auth';
import { ROLE_IDS } from './permissions.js';

const linkKey = z.string().transform((text, context) => {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'));
  if (keys.every((key) => key.length === 32)) return keys;
  context.addIssue({ code: 'custom', message: 'must be 32 random bytes in base64, for example from: openssl rand -base64 32; several, the newest first, are separated by commas' });
  return z.NEVER;
});
const perMinute = (limit: number) => z.coerce.number().int().min(1).max(1_000_000).default(limit);

const Environment = z
  .object({
    ...serviceVariables({ port: 3001 }),
    ...shellVariables({ slug: 'drive' }),
    ...storageVariables,
    APP_ENV_SHARE_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    APP_ENV_LINK_KEYS: linkKey,
    APP_ENV_MAX_FILE_BYTES: z.coerce.number().int().min(1).default(100 * 1024 * 1024),
    APP_ENV_FREE_STORAGE_BYTES: z.coerce.number().int().min(0).default(1024 ** 3),
    APP_ENV_DEFAULT_ROLE: z.enum(ROLE_IDS).default('editor'),
    APP_ENV_DIRECT_DOWNLOADS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
    APP_ENV_DATA_CLIENTS: envList.default([]),
    APP_ENV_LIMIT_EXCHANGE_PER_MINUTE: perMinute(120),
    APP_ENV_LIMIT_LINK_MISSES_PER_MINUTE: perMinute(20),
  })
  .superRefine(checkStorage)
  .transform((env) => ({
    http: { host: env.APP_ENV_HOST, port: env.APP_ENV_PORT, stopDelayMs: env.APP_ENV_STOP_DELAY_SECONDS * 1000, publicUrl: env.APP_ENV_PUBLIC_URL, trustedProxies: env.APP_ENV_TRUSTED_PROXIES },
    database: { url: env.DATABASE_URL },
    redis: { url: env.REDIS_URL },
    shell: { url: env.APP_ENV_SHELL_URL, issuer: env.APP_ENV_JWT_ISSUER, audience: env.APP_ENV_JWT_AUDIENCE, slug: env.APP_ENV_APP_SLUG, clientId: env.APP_ENV_CLIENT_ID, clientSecret: env.APP_ENV_CLIENT_SECRET, timeoutMs: env.APP_ENV_SHELL_TIMEOUT_MS },
    storage: { ...env, freeBytes: env.APP_ENV_FREE_STORAGE_BYTES },
    files: { maxBytes: env.APP_ENV_MAX_FILE_BYTES, direct: env.APP_ENV_DIRECT_DOWNLOADS === 'true' },
    links: { baseUrl: (env.APP_ENV_SHARE_BASE_URL ?? env.APP_ENV_PUBLIC_URL).replace(/\/+$/, ''), keys: env.APP_ENV_LINK_KEYS },
    dataClients: env.APP_ENV_DATA_CLIENTS,
    users: { defaultRole: env.APP_ENV_DEFAULT_ROLE },
    limits: { exchange: env.APP_ENV_LIMIT_EXCHANGE_PER_MINUTE, linkMisses: env.APP_ENV_LIMIT_LINK_MISSES_PER_MINUTE },
    logLevel: env.APP_ENV_LOG_LEVEL,
  }));

export type DriveConfig = z.output<typeof Environment>;

/** Drive's whole configuration; throws InvalidEnvironment that lists every problem at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): DriveConfig {
  return readEnvironment(Environment, env);
}

/** The environment of this process; nothing else in Drive reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
