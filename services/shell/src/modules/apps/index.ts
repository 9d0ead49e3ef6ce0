export { AppSchema, type AppStatus } from './app.entity.js';
export { appRegistryRpc } from './app-registry.rpc.js';
export { AppNotFound } from './apps.errors.js';
export { buildApps } from './apps.module.js';
export type { OperatorServices } from './app-registry.rpc.js';
