import type { Key } from '../../runtime/objects.js';
import type { SatelliteApp } from './satellite-app.js';

/** What is rolled out: an app in waves, or its newest front-end in steps. */
export type RollOutPart = 'waves' | 'front-end';

/** What a reconciler tells about the life of objects. */
export interface LifeObserver {
  /** Ready for the first time. */
  firstReady(app: SatelliteApp): void;
  /** The registry entry is gone and the deletion goes on. */
  deleted(app: SatelliteApp): void;
  /** The registry was looked at. @param drifted somebody had changed the entry */
  looked(app: SatelliteApp, drifted: boolean): void;
  /** A roll-out that was under way stopped by what was found. */
  rollOutPaused(part: RollOutPart): void;
  /** A front-end was taken back from all. */
  rolledBack(): void;
  /** The object is no longer there, or no longer ours. */
  forget(key: Key): void;
}
