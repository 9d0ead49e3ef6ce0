import { z } from 'zod';
import { readEnvironment, serviceVariables } from '../config/index.js';
import { ensureDatabase, untilDatabaseAnswers, type Database } from '../db/index.js';
import { createLogger, type Logger } from '../telemetry/index.js';

const { DATABASE_URL, APP_ENV_LOG_LEVEL } = serviceVariables({ port: 0 });

/** A migration needs no more than this, so it can run where the secrets of the service are not there yet. */
const Variables = z.object({
  DATABASE_URL,
  APP_ENV_LOG_LEVEL,
  /** Somebody who may make databases: then that of DATABASE_URL and its role are made first. */
  DATABASE_ADMIN_URL: DATABASE_URL.optional(),
  APP_ENV_MIGRATE_WAIT_SECONDS: z.coerce.number().int().min(0).max(3600).default(240),
});

export interface MigrationRecipe {
  readonly name: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly openDatabase: (url: string, logger: Logger) => Database;
  /** Makes what the service needs beside its database. */
  readonly prepare?: () => Promise<void>;
}

/**
 * The command `migrate`: waits for the database, brings it up to date and ends. Replicas and jobs that run it together
 * wait for each other.
 */
export async function migrateService({ name, environment, openDatabase, prepare }: MigrationRecipe): Promise<void> {
  const env = readEnvironment(Variables, environment);
  const logger = createLogger({ service: name, level: env.APP_ENV_LOG_LEVEL });
  await untilDatabaseAnswers(env.DATABASE_ADMIN_URL ?? env.DATABASE_URL, { limitMs: env.APP_ENV_MIGRATE_WAIT_SECONDS * 1000 });
  if (env.DATABASE_ADMIN_URL !== undefined) await ensureDatabase(env.DATABASE_ADMIN_URL, ownedBy(env.DATABASE_URL));
  const database = openDatabase(env.DATABASE_URL, logger);
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
  await prepare?.();
  logger.info('the database is up to date');
}

function ownedBy(url: string): { readonly database: string; readonly role: string; readonly password: string } {
  const { pathname, username, password } = new URL(url);
  return { database: decodeURIComponent(pathname.slice(1)), role: decodeURIComponent(username), password: decodeURIComponent(password) };
}
