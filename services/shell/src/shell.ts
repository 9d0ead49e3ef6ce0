import type express from 'express';
import { connectRedis, type Redis } from '@satellite/kit/cache';
import { Database } from '@satellite/kit/db';
import { createLogger, createMetrics, type Logger } from '@satellite/kit/telemetry';
import { migrations } from '../migrations/index.js';
import manifest from '../package.json' with { type: 'json' };
import { buildApp } from './app.js';
import { buildContainer, type Container } from './container.js';
import type { ShellConfig } from './env.js';
import { Feeds } from './feeds.js';
import { AppSchema } from './modules/apps/index.js';
import { OrganizationSchema } from './modules/organizations/index.js';
import { PlanSchema } from './modules/plans/index.js';
import { RoleSchema } from './modules/roles/index.js';
import { SubscriptionSchema } from './modules/subscriptions/index.js';
import { UserSchema } from './modules/users/index.js';

/** Parts that a host process brings; what is missing is made from the configuration. */
export interface ShellParts {
  /** Replaces REDIS_URL; the Shell uses `duplicate()` for subscriptions and leaves closing this one to the owner. */
  readonly redis?: Redis;
  readonly logger?: Logger;
  /** Series of the process itself too; off when several services share one process. */
  readonly processMetrics?: boolean;
}

export interface Shell {
  /** Serves /api, /livez, /readyz and /metrics; it does not listen. */
  readonly app: express.Express;
  readonly container: Container;
  /** Answers requests that only wait for news; call it before the server closes. */
  drain(): void;
  /** Ends timers and connections; requests that run should have ended before. */
  close(): Promise<void>;
}

/** Connection to the Shell's database, with its entities and migrations. */
export function openDatabase(url: string, logger?: Logger): Database {
  return Database.open({ url, service: 'shell', entities: [OrganizationSchema, UserSchema, RoleSchema, AppSchema, PlanSchema, SubscriptionSchema], migrations, ...(logger && { logger }) });
}

/** Connects, migrates, seeds and answers a Shell that is ready to serve. */
export async function createShell(config: ShellConfig, parts: ShellParts = {}): Promise<Shell> {
  const logger = parts.logger ?? createLogger({ service: 'shell', level: config.logLevel });
  const redis = parts.redis ?? connectRedis(requiredRedisUrl(config), logger);
  const db = openDatabase(config.database.url, logger);
  try {
    await db.migrate();
    const metrics = createMetrics({ service: 'shell', processMetrics: parts.processMetrics ?? true });
    const container = buildContainer({ config, db, redis, feeds: new Feeds(db, redis, logger), metrics, logger, version: manifest.version });
    await container.seed.run(config.seed);
    for (const part of container.background) await part.start();
    return { app: buildApp(container), container, drain: () => container.background.forEach((part) => part.drain?.()), close: () => close(container, parts.redis === undefined) };
  } catch (error) {
    await db.close();
    if (parts.redis === undefined) redis.disconnect();
    throw error;
  }
}

async function close({ background, db, redis }: Container, ownRedis: boolean): Promise<void> {
  for (const part of [...background].reverse()) await part.stop();
  await db.close();
  if (ownRedis) redis.disconnect();
}

function requiredRedisUrl({ redis }: ShellConfig): string {
  if (redis.url === undefined) throw new Error('The configuration is not usable. Set or correct:\n  REDIS_URL: is required');
  return redis.url;
}
