import type { Key } from '../../runtime/objects.js';
import type { SatelliteApp } from './satellite-app.js';

/** What a reconciler tells about the life of objects. */
export interface LifeObserver {
  /** Ready for the first time. */
  firstReady(app: SatelliteApp): void;
  /** The registry entry is gone and the deletion goes on. */
  deleted(app: SatelliteApp): void;
  /** The registry was looked at. @param drifted somebody had changed the entry */
  looked(app: SatelliteApp, drifted: boolean): void;
  /** The object is no longer there, or no longer ours. */
  forget(key: Key): void;
}
