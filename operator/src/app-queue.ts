import { ACCEPT_API_CHANGES } from './controllers/satellite-app/api/acceptance.js';
import { isTrue } from './runtime/conditions.js';
import { keyOf } from './runtime/objects.js';
import type { Change } from './runtime/store.js';
import type { Priority, WorkQueue } from './runtime/workqueue.js';
import type { ResourceStore } from './sources/resource-store.js';
import { CONDITION, RECONCILE_REQUEST, type SatelliteApp } from './controllers/satellite-app/satellite-app.js';

/** Annotations by which people ask for something. */
const ASKED_FOR = [RECONCILE_REQUEST, ACCEPT_API_CHANGES];

/** Puts apps that changed into the queue, and those that a change of another one concerns. */
export function feedQueue(apps: ResourceStore<SatelliteApp>, queue: WorkQueue): () => void {
  return apps.subscribe((change) => {
    const priority = priorityOf(change);
    if (priority) queue.add(change.key, priority);
    if (change.after || !change.before) return;
    // The slug is free: whoever else claims it has waited for this.
    for (const other of apps.inIndex(change.before.spec.slug)) queue.add(keyOf(other), 'high');
  });
}

/** How soon a change has to be acted on; undefined for changes that only we make (status, finalizers). */
export function priorityOf({ before, after, listed }: Change<SatelliteApp>): Priority | undefined {
  if (!after) return undefined;
  if (before && !differs(before, after)) return undefined;
  const settled = after.status?.observedGeneration === after.metadata.generation && isTrue(after.status.conditions as Parameters<typeof isTrue>[0], CONDITION.ready);
  return listed && !before && settled ? 'low' : 'high';
}

function differs({ metadata: a }: SatelliteApp, { metadata: b }: SatelliteApp): boolean {
  return a.uid !== b.uid || a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp || ASKED_FOR.some((name) => a.annotations?.[name] !== b.annotations?.[name]);
}
