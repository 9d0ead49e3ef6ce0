import { Change } from '@satellite/proto/registry/v1';
import { Stalled, type Waiting } from '../../../runtime/errors.js';
import { REGISTRY_CONFLICT, registryApp, registryProblem, statusDifferences } from '../registry-messages.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/** Makes the registry entry what the object says. Repeating it changes nothing. */
export async function applyRegistry(run: Run): Promise<void> {
  const { app, tools, signal } = run;
  const distribution = run.rollOut?.distribution;
  const answer = await tools.registry.applyApp({ app: registryApp(app, distribution), source: { ...run.source, ...(distribution && { step: distribution.step }) } }, { signal }).catch((error: unknown) => {
    const problem = asSlugConflict(run, registryProblem(error));
    // What was registered before still is: only a refusal of the first registration is "not registered".
    if (problem instanceof Stalled || !run.findings.registry) run.state(CONDITION.registered, run.findings.registry ? 'Unknown' : 'False', problem.reason, problem.message);
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
  announce(run, answer.change);
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
