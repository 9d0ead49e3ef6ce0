import { Change } from '@satellite/proto/registry/v1';
import { registryApp, registryProblem, shellTooOld, statusDifferences } from '../registry-messages.js';
import { isShared } from '../roll-out/roll-out.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/** Says in what the registry differs from the object, and writes nothing. */
export async function planRegistry(run: Run): Promise<void> {
  const { app, tools, signal } = run;
  const distribution = run.rollOut?.distribution;
  const { change, differences, reportDigest, rollsOut } = await tools.registry.planApp({ app: registryApp(app, distribution), source: { ...run.source, ...(distribution && { step: distribution.step }) } }, { signal }).catch((error: unknown) => {
    throw registryProblem(error);
  });
  run.reportDigest = reportDigest;
  run.findings.differences = differences.length > 0 ? statusDifferences(differences) : undefined;
  if (change === Change.CREATED) stateAbsent(run);
  else statePresent(run, differences.map(({ field }) => field));
  if (isShared(distribution) && !rollsOut) throw shellTooOld(app);
}

function stateAbsent(run: Run): void {
  run.findings.registry = undefined;
  run.findings.version = undefined;
  run.withdraw(CONDITION.cacheSynced);
  run.state(CONDITION.registered, 'False', 'NotApplied', `Mode ${run.app.spec.mode}: the app is not in the registry; mode Enforce would add it.`);
  run.withdraw(CONDITION.drifted);
}

function statePresent(run: Run, fields: readonly string[]): void {
  run.state(CONDITION.registered, 'True', 'Present', 'The registry has an entry of this app.');
  if (fields.length === 0) return run.state(CONDITION.drifted, 'False', 'InSync', 'The registry entry is what the object says.');
  run.state(CONDITION.drifted, 'True', 'DriftFound', `Registry and object differ in ${fields.join(', ')}; mode ${run.app.spec.mode} leaves it so.`);
}
