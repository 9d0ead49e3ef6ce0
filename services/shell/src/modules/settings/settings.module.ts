import type { OpenApiDocument } from '@satellite/kit/http';
import type { ControllerEntry, Parts } from '../../parts.js';
import { ConfigController } from './config.controller.js';
import { DocsController } from './docs.controller.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { InfrastructureService, type RegisteredService } from './infrastructure.service.js';

/** What settings need of other modules. */
export interface SettingsNeeds {
  readonly openapi: OpenApiDocument;
  /** Every app of the registry. */
  readonly services: () => Promise<readonly RegisteredService[]>;
}

/** Configuration, health and documentation of one Shell. */
export function buildSettings({ db, redis, config, version }: Parts, { openapi, services }: SettingsNeeds) {
  const health = new HealthService(db, redis, version);
  const infrastructure = new InfrastructureService(config, health, services);
  const controllers: ControllerEntry[] = [
    [ConfigController, () => new ConfigController(infrastructure)],
    [HealthController, () => new HealthController(health)],
    [DocsController, () => new DocsController(openapi)],
  ];
  return { controllers };
}
