import { Redis } from 'ioredis';
import type { Logger } from '../telemetry/index.js';

export type { Redis };

/**
 * A client that fails fast: a cache that does not answer within half a second must not hold up a request,
 * because everything in it can be read from the database.
 */
export function connectRedis(url: string, logger?: Logger): Redis {
  const redis = new Redis(url, { commandTimeout: 500, maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false, retryStrategy: (attempt) => Math.min(attempt * 100, 2000) });
  redis.on('error', (error: Error) => logger?.warn({ error: error.message }, 'cache connection'));
  return redis;
}

/** True when the cache answers. */
export async function isRedisUp(redis: Redis): Promise<boolean> {
  return redis.ping().then((answer) => answer === 'PONG', () => false);
}
