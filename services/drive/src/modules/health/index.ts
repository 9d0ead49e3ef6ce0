export { DocsController } from './docs.controller.js';
export { HealthController } from './health.controller.js';
