import { isRedisUp, type Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';

export type ComponentStatus = 'UP' | 'DOWN';

export interface HealthView {
  /** `UP` while requests can be answered: the database is needed, the key-value store is a cache. */
  status: ComponentStatus;
  version: string;
  database: ComponentStatus;
  /** Key-value store; while it is down answers are slower, never wrong. */
  keyValueStore: ComponentStatus;
}

const statusOf = (up: boolean): ComponentStatus => (up ? 'UP' : 'DOWN');

export class HealthService {
  constructor(
    private readonly db: Database,
    private readonly redis: Redis,
    private readonly version: string,
  ) {}

  async view(): Promise<HealthView> {
    const [database, cache] = await Promise.all([this.db.isUp(), isRedisUp(this.redis)]);
    return { status: statusOf(database), version: this.version, database: statusOf(database), keyValueStore: statusOf(cache) };
  }
}
