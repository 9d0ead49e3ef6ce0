import { Code, ConnectError } from '@connectrpc/connect';
import { Change, type ApplyAppResponse } from '@satellite/proto/registry/v1';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import { REGISTRY_CONFLICT, registryApp, registryProblem, SHELL_TOO_OLD, shellTooOld, statusDifferences } from '../registry-messages.js';
import { isShared, type Distribution } from '../roll-out/roll-out.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';
import { pauseRollOut } from './roll-out.js';

/** Makes the registry entry what the object says. Repeating it changes nothing. */
export async function applyRegistry(run: Run): Promise<void> {
  const { app, tools } = run;
  const distribution = run.rollOut?.distribution;
  const answer = await written(run, distribution).catch((error: unknown) => {
    const problem = error instanceof Waiting ? error : asSlugConflict(run, registryProblem(error));
    // What was registered before still is: only a refusal of the first registration is "not registered".
    if (problem instanceof Stalled || !run.findings.registry) run.state(CONDITION.registered, run.findings.registry ? 'Unknown' : 'False', problem.reason, problem.message);
    // Nobody has what is not written: its time does not count.
    if (problem.reason === SHELL_TOO_OLD) pauseRollOut(run, problem.message);
    throw problem;
  });
  run.noteEntry(answer, app.metadata.generation);
  run.reportDigest = answer.reportDigest;
  run.findings.version = distribution ? distribution.frontEnd.version : app.spec.version;
  run.findings.differences = answer.drifted ? statusDifferences(answer.differences) : undefined;
  if (answer.drifted) run.findings.lastDrift = { time: new Date(tools.clock.now()).toISOString(), differences: statusDifferences(answer.differences) };
  run.state(CONDITION.registered, 'True', 'Applied', `The registry has this app as of generation ${app.metadata.generation}.`);
  tools.observer.looked(app, answer.drifted);
  stateDrift(run, answer.drifted, answer.differences.map(({ field }) => field));
  run.announced = answer.change === Change.CREATED;
  announce(run, answer.change);
}

/** What only a share of the organizations gets goes by a call of its own, which a Shell that knows no shares refuses. */
async function written({ app, tools, signal, source }: Run, distribution: Distribution | undefined): Promise<ApplyAppResponse> {
  const request = { app: registryApp(app, distribution), source: { ...source, ...(distribution && { step: distribution.step }) } };
  if (!isShared(distribution)) return tools.registry.applyApp(request, { signal });
  const { applied } = await tools.registry.rollOutApp({ apply: request }, { signal }).catch((error: unknown) => {
    throw ConnectError.from(error).code === Code.Unimplemented ? shellTooOld(app, error) : error;
  });
  if (!applied) throw new Error('the Shell does not say what it did');
  return applied;
}

/** The registry met the other object of a contested slug before we did: the same conflict, seen from there. */
function asSlugConflict({ app, tools }: Run, problem: Stalled | Waiting): Stalled | Waiting {
  const contested = tools.apps.inIndex(app.spec.slug).length > 1;
  return contested && problem.reason === REGISTRY_CONFLICT ? new Stalled('SlugConflict', `${problem.message}. Another object claims slug ${app.spec.slug}; delete it, or create this one anew with another slug.`, { cause: problem }) : problem;
}

function stateDrift(run: Run, drifted: boolean, fields: readonly string[]): void {
  if (!drifted) return run.state(CONDITION.drifted, 'False', 'InSync', 'The registry entry is what the object says.');
  const message = `Somebody had changed ${fields.join(', ')} in the registry; the entry was set back to what the object says.`;
  run.state(CONDITION.drifted, 'False', 'DriftCorrected', message);
  run.tools.apps.events.record(run.app, { type: 'Warning', reason: 'DriftCorrected', action: 'Register', note: message });
}

function announce({ app, tools }: Run, change: Change): void {
  if (change === Change.CREATED) tools.apps.events.record(app, { type: 'Normal', reason: 'Registered', action: 'Register', note: `${app.spec.slug} is in the registry.` });
  if (change === Change.UPDATED) tools.apps.events.record(app, { type: 'Normal', reason: 'Updated', action: 'Register', note: `The registry entry of ${app.spec.slug} was brought up to date.` });
}
