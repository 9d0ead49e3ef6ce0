import type { Redis } from 'ioredis';
import { createEmbeddedRedis } from '../embedded/index.js';

/** An empty Redis for one test file; `duplicate()` for a subscriber, `quit()` when done. */
export function createTestRedis(): Promise<Redis> {
  return createEmbeddedRedis();
}
