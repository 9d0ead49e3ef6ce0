import type { Redis } from '@satellite/kit/cache';
import type { Database } from '@satellite/kit/db';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import type { ShellConfig } from './env.js';
import type { Feeds } from './feeds.js';

/** What every module of a Shell is built from. */
export interface Parts {
  readonly config: ShellConfig;
  readonly db: Database;
  readonly redis: Redis;
  /** Changes that every process follows. */
  readonly feeds: Feeds;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly version: string;
}

/** A controller class and how to make one for a request. */
export type ControllerEntry = readonly [controller: unknown, make: () => object];

/** Background work of a module. */
export interface Background {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
  /** Answers requests that only wait for news, so that connections can end. */
  drain?(): void;
}
