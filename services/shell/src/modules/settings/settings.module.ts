import type { OpenApiDocument } from '@satellite/kit/http';
import type { ControllerEntry, Parts } from '../../parts.js';
import { DocsController } from './docs.controller.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Health and documentation of one Shell. */
export function buildSettings({ db, redis, version }: Parts, openapi: OpenApiDocument) {
  const health = new HealthService(db, redis, version);
  const controllers: ControllerEntry[] = [
    [HealthController, () => new HealthController(health)],
    [DocsController, () => new DocsController(openapi)],
  ];
  return { controllers };
}
