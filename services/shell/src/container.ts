import type express from 'express';
import type { Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';
import type { OpenApiDocument } from '@satellite/kit/http';
import { OutboundDoor } from '@satellite/kit/outbound';
import type { Logger } from '@satellite/kit/telemetry';
import type { ShellConfig } from './env.js';
import * as apps from './modules/apps/index.js';
import * as auth from './modules/auth/index.js';
import * as settings from './modules/settings/index.js';
import { describeApi } from './openapi.js';
import { Seed } from './seed.js';

export interface ContainerParts {
  readonly config: ShellConfig;
  readonly db: Database;
  readonly redis: Redis;
  readonly logger: Logger;
  readonly version: string;
}

/** Everything of one Shell, wired by hand. */
export interface Container extends ContainerParts {
  readonly auth: auth.AuthService;
  readonly authorize: auth.Authorize;
  readonly keys: auth.SigningKeysService;
  readonly tokens: auth.TokenService;
  readonly launchpad: apps.LaunchpadService;
  readonly operatorRegistry: apps.OperatorRegistryService;
  readonly openapi: OpenApiDocument;
  readonly seed: Seed;
  /** Controller class → a new one. */
  readonly controllers: ReadonlyMap<unknown, () => object>;
}

export function buildContainer(parts: ContainerParts): Container {
  const identity = buildIdentity(parts);
  const registry = buildRegistry(parts);
  const openapi = describeApi(parts.config.http.envelope);
  const health = new settings.HealthService(parts.db, parts.redis, parts.version);
  const controllers = new Map<unknown, () => object>([
    [auth.AuthController, () => new auth.AuthController(identity.auth)],
    [auth.KeySetController, () => new auth.KeySetController(identity.keys)],
    [apps.AppsController, () => new apps.AppsController(registry.apps, registry.registration, registry.enablement)],
    [apps.ConfigAppsController, () => new apps.ConfigAppsController(registry.launchpad)],
    [settings.HealthController, () => new settings.HealthController(health)],
    [settings.DocsController, () => new settings.DocsController(openapi)],
  ]);
  return { ...parts, ...identity, launchpad: registry.launchpad, operatorRegistry: registry.operatorRegistry, openapi, controllers };
}

function buildIdentity({ db, config }: ContainerParts) {
  const hasher = new auth.PasswordHasher();
  const clients = new auth.ServiceClientsRepository(db);
  const keys = new auth.SigningKeysService(new auth.SigningKeysRepository(db), new auth.KeyVault(config.tokens.keyEncryptionKey));
  const tokens = new auth.TokenService(keys, config.tokens);
  const service = new auth.AuthService({ db, repository: new auth.AuthRepository(db), clients, hasher, tokens });
  return { auth: service, authorize: auth.makeAuthorize(service), keys, tokens, seed: new Seed(db, hasher, clients) };
}

function buildRegistry({ db, redis, logger, config }: ContainerParts) {
  const repository = new apps.AppsRepository(db);
  const organizations = new apps.AppOrganizationsRepository(db);
  const cache = new apps.RegistryCache(db, redis, logger);
  const writer = new apps.RegistryWriter(db, repository, cache);
  return {
    apps: new apps.AppsService(repository, writer),
    registration: new apps.RegistrationService(new apps.RemoteDescriptor(new OutboundDoor(config.outbound)), writer),
    enablement: new apps.EnablementService(repository, organizations, writer),
    operatorRegistry: new apps.OperatorRegistryService(repository, writer, cache),
    launchpad: new apps.LaunchpadService(cache, organizations, redis, config.http.envelope, logger),
  };
}

/** The container of the Shell that serves this request. */
export function containerOf(request: express.Request): Container {
  return request.app.locals['container'] as Container;
}
