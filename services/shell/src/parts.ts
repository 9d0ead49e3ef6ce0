import type { ServiceParts } from '@satellite/kit/service';
import type { ShellConfig } from './env.js';
import type { Feeds } from './feeds.js';
import type { Repeatable } from './repeatable.http.js';

export type { Background, ControllerEntry } from '@satellite/kit/service';

/** What every module of a Shell is built from. */
export interface Parts extends ServiceParts {
  readonly config: ShellConfig;
  /** Changes that every process follows. */
  readonly feeds: Feeds;
  /** Writes with an Idempotency-Key. */
  readonly repeatable: Repeatable;
  readonly version: string;
}
