import type { Clock } from '@satellite/kit/core';
import type { Registry } from '@satellite/kit/telemetry';
import type { LifeObserver, RollOutPart } from './controllers/satellite-app/life-observer.js';
import type { SweepObserver, SweepResult } from './controllers/satellite-app/orphan-sweep.js';
import type { ReportObserver } from './controllers/satellite-app/reporter.js';
import { CONDITION, SATELLITE_APP, type SatelliteApp } from './controllers/satellite-app/satellite-app.js';
import { Instruments } from './monitoring/instruments.js';
import { keyOf, type Key } from './runtime/objects.js';

export interface AppMetricsOptions {
  readonly registry: Registry;
  /** The `controller` label. */
  readonly controller: string;
  readonly clock: Clock;
  readonly apps: { list(): readonly SatelliteApp[]; silentMs(): number };
  /** This process works, and does not stand by. */
  readonly leads: () => boolean;
}

/** Metrics of SatelliteApps: how long their steps of life take, and where each stands now. */
export class AppMetrics implements LifeObserver, ReportObserver, SweepObserver {
  private readonly timeToReady;
  private readonly deletion;
  private readonly drift;
  private readonly pauses;
  private readonly rollbacks;
  private readonly reports;
  private readonly sweeps;
  private readonly orphans;
  private readonly spared;
  private readonly removed;
  /** When each object was last found as it should be; a drift came after that. */
  private readonly inSyncAt = new Map<Key, number>();
  private readonly startedAt: number;

  constructor(private readonly options: AppMetricsOptions) {
    const { registry, controller, apps, leads, clock } = options;
    const make = new Instruments(registry);
    this.startedAt = clock.now();
    this.timeToReady = make.histogram('satellite_operator_time_to_ready_seconds');
    this.deletion = make.histogram('satellite_operator_deletion_seconds');
    this.drift = make.histogram('satellite_operator_drift_seconds');
    this.pauses = make.counter('satellite_operator_rollout_pauses_total');
    this.rollbacks = make.counter('satellite_operator_rollbacks_total');
    this.reports = make.counter('satellite_operator_reports_total');
    this.sweeps = make.counter('satellite_operator_sweeps_total');
    this.orphans = make.gauge('satellite_operator_sweep_orphans');
    this.spared = make.gauge('satellite_operator_sweep_spared');
    this.removed = make.counter('satellite_operator_sweep_removed_total');
    make.gauge('satellite_operator_watch_silent_seconds', (gauge) => gauge.set({ controller }, apps.silentMs() / 1000));
    make.gauge('leader_election_master_status', (gauge) => gauge.set({ name: controller }, leads() ? 1 : 0));
    // From what is there when it is read: an object that is gone leaves no series behind.
    make.gauge('gotk_reconcile_condition', (gauge) => {
      gauge.reset();
      for (const app of apps.list()) gauge.set(standing(app), 1);
    });
    make.gauge('satellite_operator_rollout_percent', (gauge) => {
      gauge.reset();
      for (const app of apps.list()) for (const { percent, ...labels } of underWay(app)) gauge.set(labels, percent);
    });
    make.gauge('gotk_suspend_status', (gauge) => {
      gauge.reset();
      for (const app of apps.list()) gauge.set(nameOf(app), app.spec.suspend ? 1 : 0);
    });
  }

  firstReady({ metadata }: SatelliteApp): void {
    this.timeToReady.observe({ controller: this.options.controller }, this.secondsSince(Date.parse(metadata.creationTimestamp)));
  }

  deleted(app: SatelliteApp): void {
    this.forget(keyOf(app));
    const { deletionTimestamp } = app.metadata;
    if (deletionTimestamp !== undefined) this.deletion.observe({ controller: this.options.controller }, this.secondsSince(Date.parse(deletionTimestamp)));
  }

  looked(app: SatelliteApp, drifted: boolean): void {
    const key = keyOf(app);
    if (drifted) this.drift.observe({ controller: this.options.controller }, this.secondsSince(this.inSyncAt.get(key) ?? this.startedAt));
    this.inSyncAt.set(key, this.options.clock.now());
  }

  rollOutPaused(part: RollOutPart): void {
    this.pauses.inc({ controller: this.options.controller, part });
  }

  rolledBack(): void {
    this.rollbacks.inc({ controller: this.options.controller });
  }

  reported(result: 'sent' | 'failed'): void {
    this.reports.inc({ controller: this.options.controller, result });
  }

  swept(result: SweepResult | undefined): void {
    const { controller } = this.options;
    this.sweeps.inc({ controller, result: result === undefined ? 'failed' : result.isHeld ? 'held' : 'done' });
    if (!result) return;
    this.orphans.set({ controller }, result.orphans);
    this.spared.set({ controller }, result.orphans - result.removed);
    this.removed.inc({ controller }, result.removed);
  }

  forget(key: Key): void {
    this.inSyncAt.delete(key);
  }

  /** Timestamps of objects have whole seconds and another clock: never less than nothing. */
  private secondsSince(then: number): number {
    return Math.max(0, (this.options.clock.now() - then) / 1000);
  }
}

function nameOf({ metadata: { namespace, name } }: SatelliteApp) {
  return { kind: SATELLITE_APP.kind, name, exported_namespace: namespace };
}

/** The roll-outs of an app that are not complete. */
function underWay(app: SatelliteApp) {
  const parts = [{ part: 'waves', ...app.status?.enablement }, { part: 'front-end', ...app.status?.rollout }];
  return parts.flatMap(({ part, phase, percent = 0 }) => (phase === undefined || phase === 'Completed' ? [] : [{ ...nameOf(app), part, phase, percent }]));
}

function standing(app: SatelliteApp) {
  const ready = app.status?.conditions?.find(({ type }) => type === CONDITION.ready);
  return { ...nameOf(app), type: CONDITION.ready, status: ready?.status ?? 'Unknown', reason: ready?.reason ?? 'NotReconciled' };
}
