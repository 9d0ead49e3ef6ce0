import type { Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import type { ShellConfig } from './env.js';

/** What every module of a Shell is built from. */
export interface Parts {
  readonly config: ShellConfig;
  readonly db: Database;
  readonly redis: Redis;
  readonly logger: Logger;
  readonly version: string;
}

/** A controller class and how to make one for a request. */
export type ControllerEntry = readonly [controller: unknown, make: () => object];

/** Background work of a module. */
export interface Background {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}
