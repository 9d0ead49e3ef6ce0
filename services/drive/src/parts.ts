import type { ShellConnection } from '@satellite/kit/auth';
import type { ServiceParts } from '@satellite/kit/service';
import type { ObjectStore } from '@satellite/kit/storage';
import type { DriveConfig } from './env.js';

export type { Background, ControllerEntry } from '@satellite/kit/service';

/** What every module of a Drive is built from. */
export interface Parts extends ServiceParts {
  readonly config: DriveConfig;
  readonly store: ObjectStore;
  readonly shell: ShellConnection;
  readonly version: string;
}
