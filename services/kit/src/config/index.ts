import { z } from 'zod';
import { LOG_LEVELS } from '../telemetry/index.js';

export { packagePath } from './package-path.js';
export { storagePlaceVariables } from './storage-place.js';

/** The environment breaks rules; every problem is in the message, none of the values. */
export class InvalidEnvironment extends Error {
  override readonly name = 'InvalidEnvironment';
}

/**
 * Reads a configuration from environment variables by a schema. Empty variables count as unset, so that
 * `NAME=` in a manifest means the default. Throws InvalidEnvironment with every problem at once.
 */
export function readEnvironment<S extends z.ZodType>(schema: S, env: Readonly<Record<string, string | undefined>>): z.output<S> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(environment)'}: ${issue.message}`);
  throw new InvalidEnvironment(`The configuration is not usable. Set or correct:\n${lines.join('\n')}`);
}

/** `true|false|1|0` and nothing else. */
export const envBoolean = z.enum(['true', 'false', '1', '0'], { error: 'must be true or false' }).transform((value) => value === 'true' || value === '1');

/** An http(s) address, without the slashes at its end. */
export const envHttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).transform((text) => text.replace(/\/+$/, ''));

/** Comma-separated list; blanks are dropped. */
export const envList = z.string().transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== ''));

/** Variables that every service has; it spreads them into its own schema. */
export function serviceVariables(defaults: { readonly port: number }) {
  return {
    DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address'),
    REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// address').optional(),
    APP_ENV_HOST: z.string().default('127.0.0.1'),
    APP_ENV_PORT: z.coerce.number().int().min(0).max(65535).default(defaults.port),
    /** Seconds to go on serving after SIGTERM, not ready any more: until load balancers have noticed. */
    APP_ENV_STOP_DELAY_SECONDS: z.coerce.number().min(0).max(60).default(0),
    APP_ENV_PUBLIC_URL: envHttpUrl,
    APP_ENV_TRUSTED_PROXIES: envList.default([]),
    APP_ENV_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  };
}

/** A JSON list of what the schema describes; a broken one is told without its content, which may be secret. */
export const envJsonList = <S extends z.ZodType>(item: S, what: string) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: `must be a JSON list of ${what}` });
        return z.NEVER;
      }
    })
    .pipe(z.array(item).max(50));
