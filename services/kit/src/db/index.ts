export * from './database.js';
export * from './ensure-database.js';
export * from './errors.js';
export * from './idempotency.js';
export * from './listing.js';
export * from './tenant.repository.js';
export * from './repeatable-writes.js';
