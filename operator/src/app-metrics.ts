import type { Clock } from '@satellite/kit/core';
import type { Registry } from '@satellite/kit/telemetry';
import type { LifeObserver } from './controllers/satellite-app/life-observer.js';
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
export class AppMetrics implements LifeObserver {
  private readonly timeToReady;
  private readonly deletion;
  private readonly drift;
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
    make.gauge('satellite_operator_watch_silent_seconds', (gauge) => gauge.set({ controller }, apps.silentMs() / 1000));
    make.gauge('leader_election_master_status', (gauge) => gauge.set({ name: controller }, leads() ? 1 : 0));
    // From what is there when it is read: an object that is gone leaves no series behind.
    make.gauge('gotk_reconcile_condition', (gauge) => {
      gauge.reset();
      for (const app of apps.list()) gauge.set(standing(app), 1);
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

function standing(app: SatelliteApp) {
  const ready = app.status?.conditions?.find(({ type }) => type === CONDITION.ready);
  return { ...nameOf(app), type: CONDITION.ready, status: ready?.status ?? 'Unknown', reason: ready?.reason ?? 'NotReconciled' };
}
