export { DocsController } from './docs.controller.js';
export { EXPLORER_SCRIPT, explorerAssets } from './explorer.js';
export { HealthController } from './health.controller.js';
export { HealthService } from './health.service.js';
