import { Waiting } from '../../../runtime/errors.js';
import { pause } from '../../../runtime/timers.js';
import { registryProblem } from '../registry-messages.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/** Looks this often for the cache to catch up, at growing distance: 20 ms to 640 ms, 1.3 s in all. */
const LOOKS = 6;
const FIRST_DISTANCE_MS = 20;
const RETRY = { maxDelayMs: 15_000 } as const;

/** Readers of the feed must see the entry: the cache has the revision that was written, or there is no cache to be stale. */
export async function confirmCache(run: Run): Promise<void> {
  for (let look = 0; behind(run) && look < LOOKS; look += 1) {
    await pause(FIRST_DISTANCE_MS * 2 ** look, run.signal, run.tools.timers);
    run.signal.throwIfAborted();
    await refresh(run);
  }
  const { revision = 0, cachedRevision = 0 } = run.findings.registry ?? {};
  if (cachedRevision >= revision) return run.state(CONDITION.cacheSynced, 'True', 'CacheCurrent', 'The cache has the revision that was written.');
  if (cachedRevision === 0) {
    // Losing the cache may cost speed, never correctness: readers fall through to the registry.
    return run.state(CONDITION.cacheSynced, 'Unknown', 'CacheUnavailable', 'The cache is away; readers get the registry itself.');
  }
  const message = `The cache has revision ${cachedRevision}, the registry ${revision}.`;
  run.state(CONDITION.cacheSynced, 'False', 'CacheBehind', message);
  throw new Waiting('CacheBehind', message, RETRY);
}

function behind({ findings: { registry } }: Run): boolean {
  const { revision = 0, cachedRevision = 0 } = registry ?? {};
  return cachedRevision > 0 && cachedRevision < revision;
}

async function refresh(run: Run): Promise<void> {
  const { slug } = run.app.spec;
  const { apps } = await run.tools.registry.listApps({ slug }, { signal: run.signal }).catch((error: unknown) => {
    throw registryProblem(error);
  });
  const entry = apps.find(({ app }) => app?.slug === slug);
  if (entry) run.noteEntry(entry);
}
