import type { Key } from '../../runtime/objects.js';
import { systemTimers, type Timers } from '../../runtime/timers.js';

/** A removed file may come back at once: editors replace files this way. */
const REMOVED_FILE_MS = 150;
/** A document that left a file that is still there: more likely than not the file is only half written. */
const REMOVED_DOCUMENT_MS = 1000;

/** Decides when something missing is gone. */
export class Absences {
  private since = new Map<Key, number>();

  constructor(private readonly timers: Timers = systemTimers) {}

  /**
   * @param missing everything that is missing now
   * @param fileRemains whether the file it came from is still there
   * @returns what has been missing long enough, and when to ask again about the rest
   */
  confirm(missing: readonly Key[], fileRemains: (key: Key) => boolean): { readonly gone: Key[]; readonly nextMs: number } {
    const now = this.timers.now();
    const gone: Key[] = [];
    const since = new Map<Key, number>();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const key of missing) {
      const first = this.since.get(key) ?? now;
      const left = first + (fileRemains(key) ? REMOVED_DOCUMENT_MS : REMOVED_FILE_MS) - now;
      if (left <= 0) gone.push(key);
      else nextMs = Math.min(nextMs, left);
      since.set(key, first);
    }
    this.since = since;
    return { gone, nextMs };
  }
}
