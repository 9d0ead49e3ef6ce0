import type { Redis } from '../cache/index.js';
import type { Database } from '../db/index.js';
import type { Logger, Registry } from '../telemetry/index.js';

/** A controller class and how to make one for a request. */
export type ControllerEntry = readonly [controller: unknown, make: () => object];

/** Background work of a module. */
export interface Background {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
  /** Answers requests that only wait for news, so that connections can end. */
  drain?(): void;
}

/** Parts that a host process brings; what is missing is made from the configuration. */
export interface HostParts {
  /** Replaces REDIS_URL; the service uses `duplicate()` for subscriptions and leaves closing this one to the owner. */
  readonly redis?: Redis;
  readonly logger?: Logger;
  /** Series of the process itself too; off when several services share one process. */
  readonly processMetrics?: boolean;
}

/** What every module of a service is built from, beside the service's own configuration. */
export interface ServiceParts {
  readonly db: Database;
  readonly redis: Redis;
  readonly metrics: Registry;
  readonly logger: Logger;
}
