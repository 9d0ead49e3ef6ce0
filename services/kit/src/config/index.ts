import { z } from 'zod';

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

/** Comma-separated list; blanks are dropped. */
export const envList = z.string().transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== ''));
