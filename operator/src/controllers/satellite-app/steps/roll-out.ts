import { messageOf } from '@satellite/kit/core';
import type { EventNote } from '../../../runtime/events.js';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import { registryProblem } from '../registry-messages.js';
import { paused, RollOut, wavesOf } from '../roll-out/roll-out.js';
import { isUnknown, standOf } from '../roll-out/seed.js';
import { rolledBack, rolledOut, type RollOutReason } from '../roll-out/words.js';
import type { Run } from '../run.js';
import { CONDITION, durationMs } from '../satellite-app.js';
import { askRemotes, isResting, probeRemotes } from './probe-remotes.js';

/** What is told of each reason of the condition. */
const EVENTS: Readonly<Record<RollOutReason, Pick<EventNote, 'type' | 'reason'>>> = {
  Progressing: { type: 'Normal', reason: 'RollOutStep' },
  Completed: { type: 'Normal', reason: 'RolledOut' },
  Paused: { type: 'Warning', reason: 'RollOutPaused' },
  RolledBack: { type: 'Warning', reason: 'RolledBack' },
};

/** Finds out where the roll-outs stand. Without any the other steps of this file do what they would do without it. */
export async function beginRollOut(run: Run): Promise<void> {
  const { app } = run;
  if (!app.spec.rollout && !wavesOf(app)) return;
  const entry = isUnknown(app) ? await entryOf(run) : undefined;
  run.rollOut = new RollOut(app, standOf(app, entry));
}

/** The entry, if it belongs to this object, or to one of its name that was there before. */
async function entryOf({ app, tools, signal }: Run) {
  const { uid, namespace, name } = app.metadata;
  const { apps } = await tools.registry.listApps({ slug: app.spec.slug }, { signal }).catch((error: unknown) => {
    throw registryProblem(error);
  });
  return apps.find(({ source }) => source?.uid === uid || (source?.namespace === namespace && source?.name === name));
}

/** The probes. Without a roll-out what fails ends the run, as ever; with one it is first to be seen what follows from it. */
export async function probeInRollOut(run: Run): Promise<void> {
  if (!run.rollOut) return probeRemotes(run);
  run.rollOut.found = await askRemotes(run);
}

/**
 * What follows from the probes, and from a look at the API. What failed is told at the end of the run when the registry
 * has to be brought to the stable front-end first; else it ends the run here, and the roll-out pauses.
 */
export function decideRollOut(run: Run): void {
  const { rollOut } = run;
  if (!rollOut) return;
  const { ui, api } = rollOut.found;
  const failure = ui ?? api;
  const good = failure === undefined && !run.findings.apiBreaks;
  rollOut.advance(ui && !isResting(run) ? 'failing' : good ? 'good' : 'unknown', good, run.tools.clock.now());
  if (failure === undefined || isResting(run)) return;
  rollOut.problem = again(rollOut, failure);
  if (takesBack(rollOut)) return;
  recordRollOut(run);
  throw rollOut.problem;
}

/**
 * Nobody keeps a front-end that failed or that the object no longer asks for; that is written although something does
 * not answer. Not together with a change for an API that does not.
 */
function takesBack({ before, found, stand: { rollout } }: RollOut): boolean {
  if (rollout?.phase === 'RolledBack') return true;
  return found.api === undefined && (before.rollout?.percent ?? 0) > 0 && (rollout?.percent ?? 0) === 0;
}

/** A front-end that is out is looked at again at its own pace, so that so many failures mean so much time. */
function again({ rules, stand: { rollout } }: RollOut, failure: Error): Error {
  if (!rules || rollout?.phase !== 'Paused' || !rollout.percent || !(failure instanceof Waiting || failure instanceof Stalled)) return failure;
  return new Waiting(failure.reason, failure.message, { afterMs: durationMs(rules.probeInterval), urgent: true }, { cause: failure });
}

/** The status says what the registry has: a step counts from when it was written. */
export function recordRollOut(run: Run): void {
  const { rollOut } = run;
  if (!rollOut) return;
  const { rollout, enablement } = rollOut.stand;
  const stable = rollout?.stable && rollout.phase === 'Completed' ? { ...rollout.stable, uiDigest: run.findings.uiDigest } : rollout?.stable;
  run.findings.rollout = rollout && { ...rollout, stable };
  run.findings.enablement = enablement;
  run.stateAs(rolledOut(rollOut.stand, rollOut.problem && messageOf(rollOut.problem)));
  announce(run, rollOut);
  count(run, rollOut);
}

/** The end of a run: what was held back is told, and what goes on says so. */
export function concludeRollOut(run: Run): void {
  const { rollOut } = run;
  if (!rollOut) return;
  const { rollout, enablement } = rollOut.stand;
  if (rollout?.phase === 'RolledBack' && (rollOut.problem === undefined || !rollOut.isBack)) throw new Stalled('RolledBack', rolledBack({ rollout }), { cause: rollOut.problem });
  if (rollOut.problem) throw rollOut.problem;
  if (rollout?.phase !== 'Progressing' && enablement?.phase !== 'Progressing') return;
  const pace = rollout?.phase === 'Progressing' && rollOut.rules ? durationMs(rollOut.rules.probeInterval) : Infinity;
  run.progress = { status: 'Unknown', reason: 'RollingOut', message: rolledOut(rollOut.stand).message, progressing: true };
  run.recheckWithin(Math.min(rollOut.restMs ?? Infinity, pace));
}

/** Nothing is written, so nothing goes on: clocks stand still, and the plan says what mode Enforce would do next. */
export function planRollOut(run: Run): void {
  const { rollOut } = run;
  if (!rollOut) return;
  rollOut.advance('good', true, run.tools.clock.now());
  const { rollout, enablement } = paused(rollOut.before);
  run.findings.rollout = rollout;
  run.findings.enablement = enablement;
  run.state(CONDITION.rolledOut, 'Unknown', 'Planned', `Mode ${run.app.spec.mode} rolls nothing out; next, mode Enforce would reach this: ${rolledOut(rollOut.stand).message}`);
}

/** While nothing is looked at no time counts. */
export function pauseRollOut(run: Run, cause: string): void {
  const before = { rollout: run.findings.rollout, enablement: run.findings.enablement };
  const { rollout, enablement } = paused(before);
  if (rollout === before.rollout && enablement === before.enablement) return;
  Object.assign(run.findings, { rollout, enablement });
  run.stateAs(rolledOut({ rollout, enablement }, cause));
}

function count({ tools: { observer } }: Run, { before, stand }: RollOut): void {
  const pauses = (was: string | undefined, is: string | undefined): boolean => was === 'Progressing' && is === 'Paused';
  if (pauses(before.enablement?.phase, stand.enablement?.phase)) observer.rollOutPaused('waves');
  if (pauses(before.rollout?.phase, stand.rollout?.phase)) observer.rollOutPaused('front-end');
  if (before.rollout?.phase !== 'RolledBack' && stand.rollout?.phase === 'RolledBack') observer.rolledBack();
}

function announce({ app, tools }: Run, { before, stand }: RollOut): void {
  const { reason, message } = rolledOut(stand);
  const moved = before.rollout?.phase !== stand.rollout?.phase || before.rollout?.percent !== stand.rollout?.percent || before.enablement?.percent !== stand.enablement?.percent;
  const wasUnderWay = [before.rollout?.phase, before.enablement?.phase].some((phase) => phase === 'Progressing' || phase === 'Paused');
  if (!moved || (reason === 'Completed' && !wasUnderWay)) return;
  tools.apps.events.record(app, { ...EVENTS[reason], action: 'RollOut', note: message });
}
