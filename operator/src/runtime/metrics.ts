import type { Registry } from '@satellite/kit/telemetry';
import { Instruments } from '../monitoring/instruments.js';
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

/** Metrics of one controller under the names that controller-runtime uses. */
export class ControllerMetrics {
  readonly reconcileTotal;
  readonly errors;
  readonly terminalErrors;
  readonly panics;
  readonly timeouts;
  readonly reconcileTime;
  readonly activeWorkers;
  readonly maxConcurrent;

  constructor(registry: Registry, private readonly controller: string) {
    const make = new Instruments(registry);
    this.reconcileTotal = make.counter('controller_runtime_reconcile_total');
    this.errors = make.counter('controller_runtime_reconcile_errors_total');
    this.terminalErrors = make.counter('controller_runtime_terminal_reconcile_errors_total');
    this.panics = make.counter('controller_runtime_reconcile_panics_total');
    this.timeouts = make.counter('controller_runtime_reconcile_timeouts_total');
    this.activeWorkers = make.gauge('controller_runtime_active_workers');
    this.maxConcurrent = make.gauge('controller_runtime_max_concurrent_reconciles');
    this.reconcileTime = make.histogram('controller_runtime_reconcile_time_seconds');
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
    const make = new Instruments(registry);
    const { labels } = this;
    this.adds = make.counter('workqueue_adds_total');
    this.retries = make.counter('workqueue_retries_total');
    this.wait = make.histogram('workqueue_queue_duration_seconds');
    this.work = make.histogram('workqueue_work_duration_seconds');
    make.gauge('workqueue_depth', (gauge) => gauge.set(labels, this.addedAt.size));
    make.gauge('workqueue_unfinished_work_seconds', (gauge) => gauge.set(labels, this.runningSeconds().reduce((sum, seconds) => sum + seconds, 0)));
    make.gauge('workqueue_longest_running_processor_seconds', (gauge) => gauge.set(labels, Math.max(0, ...this.runningSeconds())));
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
