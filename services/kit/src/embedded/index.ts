export * from './errors.js';
export { stopLeftovers } from './leftovers.js';
export { holderOf, lockFile, type FileLock } from './lock.js';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres.js';
export { createEmbeddedRedis } from './redis.js';
