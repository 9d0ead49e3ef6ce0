import { dropFinalizer, ensureFinalizer, hasFinalizer } from '../../runtime/finalizer.js';
import { keyOf, type Key } from '../../runtime/objects.js';
import type { Result } from '../../runtime/controller.js';
import type { Success } from '../../runtime/summarize.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import { Change } from '@satellite/proto/registry/v1';
import { registryProblem } from './registry-messages.js';
import { Run, type Step, type StepTools } from './run.js';
import { CONDITION, durationMs, FINALIZER, type SatelliteApp } from './satellite-app.js';
import type { StatusWriter } from './status-writer.js';
import { applyRegistry } from './steps/apply-registry.js';
import { compareApi, holdBackBreaks, planCompatible, requireCompatible } from './steps/compare-api.js';
import { confirmCache } from './steps/confirm-cache.js';
import { forgetHealth } from './steps/note-health.js';
import { planRegistry } from './steps/plan-registry.js';
import { probeRemotes } from './steps/probe-remotes.js';
import { beginRollOut, concludeRollOut, decideRollOut, pauseRollOut, planRollOut, probeInRollOut, recordRollOut } from './steps/roll-out.js';
import { validatePolicies } from './steps/validate-policies.js';

/** What each mode does, in this order; a step that throws ends the run. */
const STEPS: Readonly<Record<SatelliteApp['spec']['mode'], readonly Step[]>> = {
  Enforce: [validatePolicies, beginRollOut, probeInRollOut, compareApi, decideRollOut, holdBackBreaks, applyRegistry, recordRollOut, confirmCache, concludeRollOut, requireCompatible],
  Plan: [validatePolicies, beginRollOut, planRollOut, probeRemotes, compareApi, planRegistry, planCompatible],
  Observe: [validatePolicies, beginRollOut, planRollOut, probeRemotes, compareApi, planRegistry, planCompatible],
};

const SUCCESS: Readonly<Record<SatelliteApp['spec']['mode'], Success>> = {
  Enforce: { reason: 'Registered', message: 'The app is registered and answers.' },
  Plan: { reason: 'Planned', message: 'The app answers; status.differences says what mode Enforce would write.' },
  Observe: { reason: 'Observed', message: 'The app answers; nothing is written to the registry.' },
};
const SUSPENDED: Success = { status: 'Unknown', reason: 'Suspended', message: 'spec.suspend is true: nothing is checked or corrected until it is false.' };

/** Conditions that hold from one run to the next until a step states them anew. */
const KEPT = [CONDITION.registered, CONDITION.cacheSynced, CONDITION.uiReachable, CONDITION.apiCompatible, CONDITION.drifted, CONDITION.degraded, CONDITION.rolledOut];
const JITTER = 0.05;

export interface ReconcilerOptions extends Omit<StepTools, 'apps'> {
  readonly apps: ResourceStore<SatelliteApp>;
  readonly status: StatusWriter;
  readonly random?: () => number;
}

/** Brings the registry to what one SatelliteApp says. Needs get, list, watch and patch of satelliteapps and their status. */
export class SatelliteAppReconciler {
  constructor(private readonly options: ReconcilerOptions) {}

  async reconcile(key: Key, signal: AbortSignal): Promise<Result> {
    const { apps, status, observer, sightings } = this.options;
    const known = apps.get(key);
    if (!known) {
      status.forget(key);
      observer.forget(key);
      sightings.forget(key);
      return {};
    }
    if (known.metadata.deletionTimestamp) return this.finalize(known, signal);
    if (known.spec.suspend) return this.rest(known, signal);
    const app = await ensureFinalizer(apps, known, FINALIZER);
    // Deleted before anything was registered: whatever is written now, nobody would take back.
    if (!app) return {};
    const run = new Run(app, this.options, signal, KEPT);
    const progressEnds = status.announceProgress(run);
    const ends = async (outcome?: unknown): Promise<void> => {
      await progressEnds();
      await status.summarize(run, outcome, run.progress ?? SUCCESS[app.spec.mode]);
    };
    try {
      for (const step of STEPS[app.spec.mode]) await step(run);
    } catch (error) {
      await ends(error);
      throw error;
    }
    await ends();
    return { requeueAfterMs: Math.min(this.intervalMs(app), run.recheckMs), ...(run.progress && { urgent: true }) };
  }

  /** Time to the next look at an object that does not change, with jitter so that many do not come together. */
  intervalMs({ spec }: SatelliteApp): number {
    return durationMs(spec.interval) * (1 + JITTER * (this.options.random ?? Math.random)());
  }

  private async rest(app: SatelliteApp, signal: AbortSignal): Promise<Result> {
    const run = new Run(app, this.options, signal, KEPT);
    pauseRollOut(run, SUSPENDED.message);
    forgetHealth(run);
    await this.options.status.summarize(run, undefined, SUSPENDED);
    return {};
  }

  private async finalize(app: SatelliteApp, signal: AbortSignal): Promise<Result> {
    if (!hasFinalizer(app, FINALIZER)) return {};
    const run = new Run(app, this.options, signal, KEPT);
    try {
      await this.removeFromRegistry(run);
    } catch (error) {
      await this.options.status.summarize(run, error, SUCCESS.Enforce);
      throw error;
    }
    await dropFinalizer(this.options.apps, app, FINALIZER);
    this.options.status.forget(keyOf(app));
    this.options.observer.deleted(app);
    return {};
  }

  /** Mode Plan or Observe leaves the registry alone to the end: an entry from an earlier Enforce is only given up. */
  private async removeFromRegistry({ app, signal, source }: Run): Promise<void> {
    const { registry, apps } = this.options;
    if (app.spec.mode !== 'Enforce' && !app.status?.registry) return;
    const orphan = app.spec.deletionPolicy === 'Orphan' || app.spec.mode !== 'Enforce';
    const { change } = await registry.removeApp({ slug: app.spec.slug, source, orphan }, { signal }).catch((error: unknown) => {
      throw registryProblem(error);
    });
    if (change === Change.REMOVED) apps.events.record(app, { type: 'Normal', reason: 'Removed', action: 'Unregister', note: `${app.spec.slug} is no longer in the registry.` });
    if (change === Change.ORPHANED) apps.events.record(app, { type: 'Normal', reason: 'Orphaned', action: 'Unregister', note: `The registry entry of ${app.spec.slug} stays; administrators manage it from now on.` });
  }
}
