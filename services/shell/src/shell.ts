import type express from 'express';
import { Database, RepeatableWrites } from '@satellite/kit/db';
import { connectService, openService, type Connected, type HostParts, type Service, type ServiceRecipe } from '@satellite/kit/service';
import type { Logger } from '@satellite/kit/telemetry';
import { migrations } from '../migrations/index.js';
import manifest from '../package.json' with { type: 'json' };
import { buildApp } from './app.js';
import { buildContainer, type Container } from './container.js';
import type { ShellConfig } from './env.js';
import { Feeds } from './feeds.js';
import { AppSchema } from './modules/apps/index.js';
import { AuditEntrySchema } from './modules/audit/index.js';
import { OnboardingRequestSchema } from './modules/onboarding/index.js';
import { OrganizationSchema } from './modules/organizations/index.js';
import { PlanSchema } from './modules/plans/index.js';
import { RoleSchema } from './modules/roles/index.js';
import { PaymentEventSchema, SubscriptionSchema } from './modules/subscriptions/index.js';
import { UserSchema } from './modules/users/index.js';
import { Repeatable } from './repeatable.http.js';

export type Shell = Service<express.Express, Container>;

/** Connection to the Shell's database, with its entities and migrations. */
export function openDatabase(url: string, logger?: Logger): Database {
  return Database.open({ url, service: 'shell', entities: [OrganizationSchema, UserSchema, RoleSchema, AppSchema, PlanSchema, SubscriptionSchema, PaymentEventSchema, AuditEntrySchema, OnboardingRequestSchema], migrations, ...(logger && { logger }) });
}

const recipe = (config: ShellConfig): ServiceRecipe<express.Express, Container> => ({
  name: 'shell',
  redisUrl: config.redis.url,
  logLevel: config.logLevel,
  openDatabase: (logger) => openDatabase(config.database.url, logger),
  buildContainer: (given) => buildContainer({ ...given, config, feeds: new Feeds(given.db, given.redis, given.logger), repeatable: new Repeatable(new RepeatableWrites(given.db, config.tokens.keyEncryptionKey)), version: manifest.version }),
  seed: (container) => container.seed.run(config.seed),
  buildApp,
});

/** Connects, migrates, seeds and answers a Shell that is ready to serve. */
export function createShell(config: ShellConfig, parts: HostParts = {}): Promise<Shell> {
  return openService(recipe(config), parts);
}

/** The Shell's parts for a command that runs beside Shells: nothing is migrated, seeded or started. */
export function connectShell(config: ShellConfig): Promise<Connected<Container>> {
  return connectService(recipe(config), { processMetrics: false });
}
