import { Stalled, Waiting } from '../../../runtime/errors.js';
import type { Run } from '../run.js';
import { noteHealth } from './note-health.js';
import { probeApi } from './probe-api.js';
import { probeUi } from './probe-ui.js';

/** Apps of which nobody expects that they answer: their probes report, but hold nothing back. */
const RESTING: readonly string[] = ['inactive', 'maintenance'];

/** What is wrong with each remote; nothing when it is well. */
export interface RemoteProblems {
  readonly ui?: Stalled | Waiting;
  readonly api?: Stalled | Waiting;
}

export function isResting({ app }: Run): boolean {
  return RESTING.includes(app.spec.status);
}

/** Both probes at once. Throws what is no finding but a mistake of our own, or the end of the run. */
export async function askRemotes(run: Run): Promise<RemoteProblems> {
  const [ui, api] = await Promise.all([probeUi(run), probeApi(run)].map((probe) => probe.then(() => undefined, problemOf)));
  run.signal.throwIfAborted();
  // A front-end that not everybody has says nothing about the app that people see.
  const well = api === undefined && (ui === undefined || run.rollOut?.probesCandidate === true);
  noteHealth(run, isResting(run) ? undefined : well);
  return { ui: ui && soon(run, ui), api: api && soon(run, api) };
}

function problemOf(error: unknown): Stalled | Waiting {
  if (error instanceof Stalled || error instanceof Waiting) return error;
  throw error;
}

/** Whether a failure lasts is to be known before the interval is over, and not before it could pass. */
function soon(run: Run, problem: Stalled | Waiting): Stalled | Waiting {
  const { health } = run.findings;
  if (problem instanceof Stalled || !health || health.degraded) return problem;
  return new Waiting(problem.reason, problem.message, { afterMs: run.tools.recheckMs }, { cause: problem });
}

/** A failure of the front-end is told first. */
export async function probeRemotes(run: Run): Promise<void> {
  const { ui, api } = await askRemotes(run);
  const failure = ui ?? api;
  if (failure && !isResting(run)) throw failure;
}
