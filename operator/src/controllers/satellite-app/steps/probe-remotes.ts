import { Waiting } from '../../../runtime/errors.js';
import type { Run } from '../run.js';
import { noteHealth } from './note-health.js';
import { probeApi } from './probe-api.js';
import { probeUi } from './probe-ui.js';

/** Apps of which nobody expects that they answer: their probes report, but hold nothing back. */
const RESTING: readonly string[] = ['inactive', 'maintenance'];

/** Both probes at once; a failure of the front-end is told first. */
export async function probeRemotes(run: Run): Promise<void> {
  const outcomes = await Promise.allSettled([probeUi(run), probeApi(run)]);
  run.signal.throwIfAborted();
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  const resting = RESTING.includes(run.app.spec.status);
  noteHealth(run, resting ? undefined : failed === undefined);
  if (failed && !resting) throw soon(run, failed.reason);
}

/** Whether a failure lasts is to be known before the interval is over, and not before it could pass. */
function soon(run: Run, reason: unknown): unknown {
  const { health } = run.findings;
  if (!(reason instanceof Waiting) || !health || health.degraded) return reason;
  return new Waiting(reason.reason, reason.message, { afterMs: run.tools.recheckMs }, { cause: reason });
}
