import type { Redis } from 'ioredis';
import { createIoredisMock } from 'js-redis-server';

/**
 * A Redis in this process: the real ioredis client, the server behind it in JavaScript, no port. `duplicate()` gives
 * further connections to the same data (a subscriber needs one). Nothing is kept: Redis is a cache and a bus here.
 */
export async function createEmbeddedRedis(): Promise<Redis> {
  return (await createIoredisMock()) as Redis;
}
