import { Counter, Gauge, Histogram, type Registry } from '@satellite/kit/telemetry';
import type { Key } from './objects.js';
import { systemTimers, type Timers } from './timers.js';

export type ReconcileOutcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What a work queue reports about itself. */
export interface QueueObserver {
  added(key: Key): void;
  started(key: Key): void;
  finished(key: Key): void;
  retried(key: Key): void;
}

/** Bucket limits that controller-runtime uses for reconcile time, so that its dashboards fit. */
const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5,
  6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
const READY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800];

/** Metrics of one controller under the names that controller-runtime and client-go use. */
export class ControllerMetrics {
  readonly reconcileTotal;
  readonly errors;
  readonly terminalErrors;
  readonly panics;
  readonly timeouts;
  readonly reconcileTime;
  readonly activeWorkers;
  readonly maxConcurrent;
  readonly timeToReady;

  constructor(registry: Registry, private readonly controller: string) {
    const labelNames = ['controller'];
    const registers = [registry];
    const counter = (name: string, help: string, names = labelNames) => new Counter({ name, help, labelNames: names, registers });
    const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
    this.reconcileTotal = counter('controller_runtime_reconcile_total', 'Reconciliations per controller and result', ['controller', 'result']);
    this.errors = counter('controller_runtime_reconcile_errors_total', 'Reconciliations that failed');
    this.terminalErrors = counter('controller_runtime_terminal_reconcile_errors_total', 'Reconciliations that failed and are not retried');
    this.panics = counter('controller_runtime_reconcile_panics_total', 'Reconciliations that failed by a programming error');
    this.timeouts = counter('controller_runtime_reconcile_timeouts_total', 'Reconciliations that were cut off by the time limit');
    this.activeWorkers = gauge('controller_runtime_active_workers', 'Workers that are busy');
    this.maxConcurrent = gauge('controller_runtime_max_concurrent_reconciles', 'Workers');
    this.reconcileTime = new Histogram({ name: 'controller_runtime_reconcile_time_seconds', help: 'Time of a reconciliation', labelNames, registers, buckets: RECONCILE_BUCKETS });
    this.timeToReady = new Histogram({ name: 'satellite_operator_time_to_ready_seconds', help: 'Time from creation of an object to its first Ready', labelNames, registers, buckets: READY_BUCKETS });
    for (const metric of [this.errors, this.terminalErrors, this.panics, this.timeouts]) metric.inc({ controller }, 0);
    for (const result of ['success', 'error', 'requeue', 'requeue_after'] as const) this.reconcileTotal.inc({ controller, result }, 0);
  }

  finished(outcome: ReconcileOutcome, seconds: number): void {
    this.reconcileTotal.inc({ controller: this.controller, result: outcome });
    this.reconcileTime.observe({ controller: this.controller }, seconds);
  }
}

/** Work queue metrics under client-go's names. */
export class QueueMetrics implements QueueObserver {
  private readonly addedAt = new Map<Key, number>();
  private readonly startedAt = new Map<Key, number>();
  private readonly labels: { readonly name: string; readonly controller: string };
  private readonly adds;
  private readonly retries;
  private readonly wait;
  private readonly work;

  constructor(registry: Registry, name: string, private readonly timers: Timers = systemTimers) {
    this.labels = { name, controller: name };
    const labelNames = ['name', 'controller'];
    const registers = [registry];
    const live = (metric: string, help: string, read: () => number) => {
      const { labels } = this;
      return new Gauge({ name: metric, help, labelNames, registers, collect() { this.set(labels, read()); } });
    };
    this.adds = new Counter({ name: 'workqueue_adds_total', help: 'Keys added', labelNames, registers });
    this.retries = new Counter({ name: 'workqueue_retries_total', help: 'Keys added again after a failure', labelNames, registers });
    this.wait = new Histogram({ name: 'workqueue_queue_duration_seconds', help: 'Time a key waits for a worker', labelNames, registers, buckets: QUEUE_BUCKETS });
    this.work = new Histogram({ name: 'workqueue_work_duration_seconds', help: 'Time a worker spends on a key', labelNames, registers, buckets: QUEUE_BUCKETS });
    live('workqueue_depth', 'Keys that wait for a worker', () => this.addedAt.size);
    live('workqueue_unfinished_work_seconds', 'Time of all work in progress', () => this.runningSeconds().reduce((sum, seconds) => sum + seconds, 0));
    live('workqueue_longest_running_processor_seconds', 'Time of the longest work in progress', () => Math.max(0, ...this.runningSeconds()));
    this.adds.inc(this.labels, 0);
    this.retries.inc(this.labels, 0);
  }

  added(key: Key): void {
    this.adds.inc(this.labels);
    this.addedAt.set(key, this.timers.now());
  }

  started(key: Key): void {
    const now = this.timers.now();
    this.wait.observe(this.labels, (now - (this.addedAt.get(key) ?? now)) / 1000);
    this.addedAt.delete(key);
    this.startedAt.set(key, now);
  }

  finished(key: Key): void {
    const now = this.timers.now();
    this.work.observe(this.labels, (now - (this.startedAt.get(key) ?? now)) / 1000);
    this.startedAt.delete(key);
  }

  retried(_key: Key): void {
    this.retries.inc(this.labels);
  }

  private runningSeconds(): number[] {
    const now = this.timers.now();
    return [...this.startedAt.values()].map((at) => (now - at) / 1000);
  }
}
