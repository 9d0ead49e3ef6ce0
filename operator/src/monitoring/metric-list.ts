/**
 * Every metric of the operator. The instruments, the dashboard, the alert rules and the table in
 * hack/docs/operator.md are made from this list, so that none of them names what is not measured.
 *
 * Names that begin with controller_runtime and workqueue are those of controller-runtime and client-go
 * (pkg/internal/controller/metrics, pkg/metrics/workqueue.go), leader_election_master_status is client-go's too, gotk_*
 * are Flux's (pkg/runtime/metrics): dashboards and alerts for these fit.
 */
export interface MetricEntry {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper limits in seconds, of a histogram. */
  readonly buckets?: readonly number[];
}

const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5,
  6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
const READY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800];
/** Drift may have stood there for as long as an interval lasts: up to a day. */
const DRIFT_BUCKETS = [1, 10, 30, 60, 300, 600, 1800, 3600, 21_600, 86_400];

const controller = (entry: Omit<MetricEntry, 'labels'>): MetricEntry => ({ labels: ['controller'], ...entry });
const queue = (entry: Omit<MetricEntry, 'labels'>): MetricEntry => ({ labels: ['name', 'controller'], ...entry });

const LIST = {
  controller_runtime_reconcile_total: { type: 'counter', help: 'Reconciliations per controller and result', labels: ['controller', 'result'] },
  controller_runtime_reconcile_errors_total: controller({ type: 'counter', help: 'Reconciliations that failed' }),
  controller_runtime_terminal_reconcile_errors_total: controller({ type: 'counter', help: 'Reconciliations that failed and are not retried' }),
  controller_runtime_reconcile_panics_total: controller({ type: 'counter', help: 'Reconciliations that failed by a programming error' }),
  controller_runtime_reconcile_timeouts_total: controller({ type: 'counter', help: 'Reconciliations that were cut off by the time limit' }),
  controller_runtime_reconcile_time_seconds: controller({ type: 'histogram', help: 'Time of a reconciliation', buckets: RECONCILE_BUCKETS }),
  controller_runtime_active_workers: controller({ type: 'gauge', help: 'Workers that are busy' }),
  controller_runtime_max_concurrent_reconciles: controller({ type: 'gauge', help: 'Workers' }),
  workqueue_depth: queue({ type: 'gauge', help: 'Keys that wait for a worker' }),
  workqueue_adds_total: queue({ type: 'counter', help: 'Keys added' }),
  workqueue_retries_total: queue({ type: 'counter', help: 'Keys added again after a failure' }),
  workqueue_queue_duration_seconds: queue({ type: 'histogram', help: 'Time a key waits for a worker', buckets: QUEUE_BUCKETS }),
  workqueue_work_duration_seconds: queue({ type: 'histogram', help: 'Time a worker spends on a key', buckets: QUEUE_BUCKETS }),
  workqueue_unfinished_work_seconds: queue({ type: 'gauge', help: 'Time of all work in progress' }),
  workqueue_longest_running_processor_seconds: queue({ type: 'gauge', help: 'Time of the longest work in progress' }),
  leader_election_master_status: { type: 'gauge', help: '1 in the process that works, 0 in one that stands by', labels: ['name'] },
  satellite_operator_time_to_ready_seconds: controller({ type: 'histogram', help: 'Time from creation of an object to its first Ready', buckets: READY_BUCKETS }),
  satellite_operator_deletion_seconds: controller({ type: 'histogram', help: 'Time from the request to delete an object until its registry entry was gone', buckets: READY_BUCKETS }),
  satellite_operator_drift_seconds: controller({ type: 'histogram', help: 'Longest time that a drift found in the registry can have stood there: since the last look of this process that found none', buckets: DRIFT_BUCKETS }),
  satellite_operator_registry_breaker_state: controller({ type: 'gauge', help: '0 while the registry is called, 2 while it is not because it did not answer, 1 while one call is tried' }),
  satellite_operator_watch_silent_seconds: controller({ type: 'gauge', help: 'Time since the source of the objects gave a sign of life' }),
  satellite_operator_rollout_percent: { type: 'gauge', help: 'Percent of the organizations that a roll-out which is not complete has reached: `waves` of an app, or its newest `front-end`', labels: ['kind', 'name', 'exported_namespace', 'part', 'phase'] },
  satellite_operator_rollout_pauses_total: { type: 'counter', help: 'Roll-outs that were under way and were paused by what was found: `waves`, or steps of a `front-end`', labels: ['controller', 'part'] },
  satellite_operator_rollbacks_total: controller({ type: 'counter', help: 'Front-ends that were taken back because they failed' }),
  satellite_operator_reports_total: { type: 'counter', help: 'Reports to the Shell that were `sent`, or `failed` and are sent again', labels: ['controller', 'result'] },
  satellite_operator_sweeps_total: { type: 'counter', help: 'Searches for entries without an object: `done`, `held` back because too much would go, or `failed`', labels: ['controller', 'result'] },
  satellite_operator_sweep_orphans: controller({ type: 'gauge', help: 'Entries without an object that the last search found' }),
  satellite_operator_sweep_spared: controller({ type: 'gauge', help: 'Those of them that it left, since it was the first to find them or may not remove them' }),
  satellite_operator_sweep_removed_total: controller({ type: 'counter', help: 'Entries without an object that were taken out or given up' }),
  gotk_reconcile_condition: { type: 'gauge', help: '1 for the status that the Ready condition of an object has', labels: ['kind', 'name', 'exported_namespace', 'type', 'status', 'reason'] },
  gotk_suspend_status: { type: 'gauge', help: '1 while spec.suspend of an object is true', labels: ['kind', 'name', 'exported_namespace'] },
} as const satisfies Record<string, MetricEntry>;

export type MetricName = keyof typeof LIST;

export const METRICS: Readonly<Record<MetricName, MetricEntry>> = LIST;
