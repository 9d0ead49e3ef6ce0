import type express from 'express';
import { Controller, Get, NoSecurity, Request, Response, Route, Tags } from '@tsoa/runtime';
import { isRedisUp, type Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';
import type { ObjectStore } from '@satellite/kit/storage';

export type ComponentStatus = 'UP' | 'DOWN';

export interface HealthView {
  /** `UP` while requests can be answered: the database is needed; without the object storage files can only be listed. */
  status: ComponentStatus;
  version: string;
  database: ComponentStatus;
  objectStorage: ComponentStatus;
  /** A cache; while it is down answers are slower, never wrong. */
  keyValueStore: ComponentStatus;
}

export interface HealthDeps {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly redis: Redis;
  readonly version: string;
}

const statusOf = (up: boolean): ComponentStatus => (up ? 'UP' : 'DOWN');

@Route('health')
@Tags('Health and documentation')
export class HealthController extends Controller {
  constructor(private readonly deps: HealthDeps) {
    super();
  }

  /** Whether Drive can do its work, with its version. Always bare, without an envelope. */
  @Get()
  @NoSecurity()
  @Response<HealthView>(503, 'The database is away')
  async get(@Request() request: express.Request): Promise<HealthView> {
    const { db, store, redis, version } = this.deps;
    const [database, objectStorage, keyValueStore] = (await Promise.all([db.isUp(), store.isUp(), isRedisUp(redis)])).map(statusOf) as [ComponentStatus, ComponentStatus, ComponentStatus];
    request.res?.setHeader('Cache-Control', 'no-store');
    this.setStatus(database === 'UP' ? 200 : 503);
    return { status: database, version, database, objectStorage, keyValueStore };
  }
}
