import { FAILURES, isUnsettled, nextHealth, SUCCESSES, unknownHealth } from '../health.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/**
 * Counts a check of the probes.
 * @param well undefined: nobody expects that the app answers
 */
export function noteHealth(run: Run, well: boolean | undefined): void {
  const { findings, tools, app } = run;
  const before = findings.health;
  findings.health = well === undefined ? undefined : nextHealth(before, well, tools.clock.now(), tools.recheckMs);
  if (findings.health && isUnsettled(findings.health)) run.recheckWithin(tools.recheckMs);
  if (findings.health?.degraded !== true) run.withdraw(CONDITION.degraded);
  else run.state(CONDITION.degraded, 'True', 'ProbesFail', `The probes have failed since ${findings.health.since}, at least ${FAILURES} times in a row; the app is shown as degraded until ${SUCCESSES} in a row succeed.`);
  if (!before || !findings.health || before.degraded === findings.health.degraded) return;
  if (findings.health.degraded) tools.apps.events.record(app, { type: 'Warning', reason: 'Degraded', action: 'Probe', note: `${FAILURES} probes in a row failed; the app is shown as degraded.` });
  else tools.apps.events.record(app, { type: 'Normal', reason: 'Recovered', action: 'Probe', note: `${SUCCESSES} probes in a row succeeded; the app is no longer shown as degraded.` });
}

/** Nobody looks: the app is degraded for no longer than somebody knows it, and what was counted is not in one piece. */
export function forgetHealth(run: Run): void {
  const { findings, tools } = run;
  run.withdraw(CONDITION.degraded);
  findings.health = findings.health && unknownHealth(findings.health, tools.clock.now());
}
