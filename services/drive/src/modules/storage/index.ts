export type { ObjectScan } from './object-scan.js';
export type { Objects } from './objects.js';
export { buildStorage } from './storage.module.js';
export type { Counted } from './storage-quota.js';
