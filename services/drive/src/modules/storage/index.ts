export { ObjectLedger, UPLOAD_SECONDS } from './object-ledger.js';
export { buildStorage } from './storage.module.js';
