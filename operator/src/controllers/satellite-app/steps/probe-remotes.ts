import type { Run } from '../run.js';
import { probeApi } from './probe-api.js';
import { probeUi } from './probe-ui.js';

/** Apps of which nobody expects that they answer: their probes report, but hold nothing back. */
const RESTING: readonly string[] = ['inactive', 'maintenance'];

/** Both probes at once; a failure of the front-end is told first. */
export async function probeRemotes(run: Run): Promise<void> {
  const outcomes = await Promise.allSettled([probeUi(run), probeApi(run)]);
  run.signal.throwIfAborted();
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed && !RESTING.includes(run.app.spec.status)) throw failed.reason;
}
