import type { Clock } from '@satellite/kit/core';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { applyStatus } from '../../runtime/apply.js';
import { findCondition, isTrue, mergeConditions, type ConditionDraft } from '../../runtime/conditions.js';
import { OperatorStops, Stalled, Waiting } from '../../runtime/errors.js';
import { keyOf, type Key } from '../../runtime/objects.js';
import { inProgress, summarize, type Outcome, type Success } from '../../runtime/summarize.js';
import type { TimerHandle, Timers } from '../../runtime/timers.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import { resultOf, withEpisode, type Episode } from './history.js';
import type { Reporter } from './reporter.js';
import type { LifeObserver } from './life-observer.js';
import type { Run } from './run.js';
import { CONDITION, RECONCILE_REQUEST, type SatelliteApp, type SatelliteAppStatus } from './satellite-app.js';

/** A reconcile that takes longer says so in the status. */
const PROGRESS_AFTER_MS = 1000;

export interface StatusWriterOptions {
  readonly apps: ResourceStore<SatelliteApp>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly reporter: Reporter;
  readonly observer: Pick<LifeObserver, 'firstReady'>;
}

/** The only writer of status: once at the end of a reconcile, and once before when the reconcile takes long. */
export class StatusWriter {
  constructor(private readonly options: StatusWriterOptions) {}

  /** Call the result when the reconcile is over; it resolves when no progress write is under way any more. */
  announceProgress(run: Run): () => Promise<void> {
    const { app } = run;
    if (app.status?.observedGeneration === app.metadata.generation) return () => Promise.resolve();
    let writing: Promise<unknown> = Promise.resolve();
    const handle: TimerHandle = this.options.timers.set(() => {
      writing = this.writeProgress(run).catch((error: unknown) => this.options.logger.warn({ key: keyOf(app), detail: messageOf(error) }, 'progress could not be written'));
    }, PROGRESS_AFTER_MS);
    return async () => {
      this.options.timers.clear(handle);
      await writing;
    };
  }

  /** Writes what the run found and how it ended, if that is news. */
  async summarize(run: Run, outcome: Outcome, success: Success): Promise<void> {
    const { apps, clock } = this.options;
    // Whoever leads next finds out how things are; that we were cut off says nothing about the object.
    if (run.signal.reason instanceof OperatorStops) return;
    const current = apps.get(keyOf(run.app));
    if (current?.metadata.uid !== run.app.metadata.uid) return;
    const conditions = this.merge(run, summarize(outcome, success));
    await this.options.reporter.report(run, conditions, outcome);
    const ready = isTrue(conditions, CONDITION.ready);
    const becameReady = ready && !isTrue(run.app.status?.conditions, CONDITION.ready);
    const status: SatelliteAppStatus = {
      ...run.findings,
      observedGeneration: run.app.metadata.generation,
      conditions,
      lastHandledReconcileAt: success.reason === 'Suspended' ? run.app.status?.lastHandledReconcileAt : run.app.metadata.annotations?.[RECONCILE_REQUEST],
      history: withEpisode(current.status?.history, episodeOf(run, conditions, outcome, clock.now())),
      lastReadyTime: becameReady ? new Date(clock.now()).toISOString() : run.app.status?.lastReadyTime,
    };
    await applyStatus(apps, current, status);
    if (becameReady && run.app.status?.lastReadyTime === undefined) this.options.observer.firstReady(run.app);
    this.announce(run, conditions, outcome);
  }

  /** The object is gone. */
  forget(key: Key): void {
    this.options.reporter.forget(key);
  }

  private async writeProgress(run: Run): Promise<void> {
    const current = this.options.apps.get(keyOf(run.app));
    if (!current || run.signal.aborted) return;
    const conditions = this.merge(run, inProgress(`Generation ${run.app.metadata.generation} is being checked and registered.`));
    // The generation counts as observed only at the end, so that nobody takes this for a result.
    await applyStatus(this.options.apps, current, { ...current.status, observedGeneration: current.status?.observedGeneration ?? -1, conditions });
  }

  private merge(run: Run, summary: readonly ConditionDraft[]): SatelliteAppStatus['conditions'] & object {
    const now = new Date(this.options.clock.now()).toISOString();
    const before = this.options.apps.get(keyOf(run.app))?.status?.conditions;
    return mergeConditions(before as Parameters<typeof mergeConditions>[0], [...summary, ...run.conditions], run.app.metadata.generation, now.replace(/\.\d+Z$/, 'Z'));
  }

  /** An event whenever the reason of Ready changes for the worse, or back. */
  private announce(run: Run, conditions: NonNullable<SatelliteAppStatus['conditions']>, outcome: Outcome): void {
    const after = findCondition(conditions as Parameters<typeof findCondition>[0], CONDITION.ready);
    const before = findCondition(run.app.status?.conditions as Parameters<typeof findCondition>[0], CONDITION.ready);
    if (!after || (before?.reason === after.reason && before.status === after.status)) return;
    // that a new app is registered has been said, and it says no more
    if (run.announced && outcome === undefined && run.progress === undefined) return;
    const expected = outcome === undefined || outcome instanceof Stalled || outcome instanceof Waiting;
    const type = outcome === undefined ? 'Normal' : 'Warning';
    this.options.apps.events.record(run.app, { type, reason: after.reason, action: 'Reconcile', note: expected ? after.message : 'The reconcile failed; see the status and the log of the operator.' });
  }
}

function episodeOf({ app, findings, startedAt }: Run, conditions: NonNullable<SatelliteAppStatus['conditions']>, outcome: Outcome, now: number): Episode {
  const reason = conditions.find(({ type }) => type === CONDITION.ready)?.reason ?? '';
  return {
    generation: app.metadata.generation,
    version: findings.version,
    result: resultOf(outcome, reason === 'Suspended'),
    reason,
    startedAt: new Date(startedAt).toISOString(),
    durationSeconds: Math.max(0, now - startedAt) / 1000,
    uiDigest: findings.uiDigest,
  };
}
