import type { MetricName } from '../src/monitoring/metric-list.js';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  /** It has to hold for so long. */
  readonly for: string;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly summary: string;
  /** What to do. */
  readonly description: string;
}

/** Series of a release; the chart puts in its namespace. */
const of = (name: MetricName, more = ''): string => `${name}{namespace="$NAMESPACE"${more}}`;

export const ALERTS: readonly Alert[] = [
  {
    alert: 'SatelliteOperatorNotLeading', expr: `absent(${of('leader_election_master_status')} == 1)`, for: '5m', severity: 'critical',
    summary: 'No operator works', description: 'New and changed SatelliteApps are not registered; what is registered goes on. Look at the pods of the operator and at its Lease.',
  },
  {
    alert: 'SatelliteOperatorWatchSilent', expr: `max(${of('satellite_operator_watch_silent_seconds')} * on (pod) ${of('leader_election_master_status')}) > 180`, for: '5m', severity: 'critical',
    summary: 'The operator hears nothing of the API server', description: 'Changes are not seen. Look at the API server and at network policies; the log of the operator says why the watch does not open.',
  },
  {
    alert: 'SatelliteOperatorStuck', expr: `max(${of('workqueue_longest_running_processor_seconds')}) > 180`, for: '5m', severity: 'critical',
    summary: 'A reconcile does not end', description: 'The log names its key under "reconcile takes too long". The liveness probe restarts the operator.',
  },
  {
    alert: 'SatelliteRegistryUnreachable', expr: `max(${of('satellite_operator_registry_breaker_state')}) > 0`, for: '5m', severity: 'critical',
    summary: 'The operator cannot reach the registry of the Shell', description: 'What is registered goes on; nothing new is. Look at the Shell, and at network policies between it and the operator.',
  },
  {
    alert: 'SatelliteOperatorErrors', expr: `sum(rate(${of('controller_runtime_reconcile_errors_total')}[10m])) / sum(rate(${of('controller_runtime_reconcile_total')}[10m])) > 0.25`, for: '15m', severity: 'warning',
    summary: 'More than a quarter of the reconciles fail', description: 'kubectl get sat -A shows the reason of each object; hack/docs/operator.md has what to do for each.',
  },
  {
    alert: 'SatelliteOperatorProgrammingError', expr: `sum(increase(${of('controller_runtime_reconcile_panics_total')}[15m])) > 0`, for: '0m', severity: 'warning',
    summary: 'The operator met an error of its own', description: 'The log has it with its stack under the key of the object. Please report it.',
  },
  {
    alert: 'SatelliteOperatorBacklog', expr: `histogram_quantile(0.95, sum by (le) (rate(${of('workqueue_queue_duration_seconds').replace('{', '_bucket{')}[10m]))) > 60`, for: '15m', severity: 'warning',
    summary: 'Objects wait longer than a minute for a worker', description: 'Give the operator more workers (OPERATOR_WORKERS), lengthen spec.interval, or shard by label.',
  },
  {
    alert: 'SatelliteAppNotReady', expr: `max by (exported_namespace, name, reason) (${of('gotk_reconcile_condition', ',type="Ready",status="False"')}) == 1`, for: '15m', severity: 'warning',
    summary: 'SatelliteApp {{ $labels.exported_namespace }}/{{ $labels.name }} is not Ready: {{ $labels.reason }}', description: 'kubectl describe sat -n {{ $labels.exported_namespace }} {{ $labels.name }} says what to change.',
  },
  {
    alert: 'SatelliteAppSuspended', expr: `max by (exported_namespace, name) (${of('gotk_suspend_status')}) == 1`, for: '1d', severity: 'info',
    summary: 'SatelliteApp {{ $labels.exported_namespace }}/{{ $labels.name }} has been suspended for a day', description: 'Nothing is checked or corrected for it. Set spec.suspend to false when that was forgotten.',
  },
  {
    alert: 'SatelliteAppSlowToReady', expr: `histogram_quantile(0.95, sum by (le) (increase(${of('satellite_operator_time_to_ready_seconds').replace('{', '_bucket{')}[1h]))) > 60`, for: '15m', severity: 'warning',
    summary: 'New apps take longer than a minute to become Ready', description: 'Compare the time in the queue with that of a reconcile: the one means too few workers, the other a slow Shell or slow satellites.',
  },
  {
    alert: 'SatelliteAppSlowToDelete', expr: `histogram_quantile(0.95, sum by (le) (increase(${of('satellite_operator_deletion_seconds').replace('{', '_bucket{')}[1h]))) > 120`, for: '15m', severity: 'warning',
    summary: 'Deleted apps stay in the registry for minutes', description: 'Deletion waits for the Shell: look whether it answers.',
  },
  {
    alert: 'SatelliteRollOutRolledBack', expr: `max by (exported_namespace, name) (${of('satellite_operator_rollout_percent', ',phase="RolledBack"')}) >= 0`, for: '0m', severity: 'warning',
    summary: 'The new front-end of SatelliteApp {{ $labels.exported_namespace }}/{{ $labels.name }} failed and was taken back', description: 'Everybody has the last good one. Correct the front-end and apply a new generation of the object, or set uiUrl and version back.',
  },
  {
    alert: 'SatelliteRollOutPaused', expr: `max by (exported_namespace, name, part) (${of('satellite_operator_rollout_percent', ',phase="Paused"')}) >= 0`, for: '1h', severity: 'warning',
    summary: 'The roll-out ({{ $labels.part }}) of SatelliteApp {{ $labels.exported_namespace }}/{{ $labels.name }} has been paused for an hour', description: 'Its probes fail, its API breaks its users, the Shell is too old, or it is suspended or planned: the condition RolledOut says which.',
  },
  {
    alert: 'SatelliteReportsFail', expr: `sum(increase(${of('satellite_operator_reports_total', ',result="failed"')}[15m])) > 0 unless sum(increase(${of('satellite_operator_reports_total', ',result="sent"')}[15m])) > 0`, for: '15m', severity: 'warning',
    summary: 'The Shell is not told what the operator finds', description: 'Pages of apps and the badge of degraded ones show what was so before. The log of the operator says why the Shell refuses the reports.',
  },
  {
    alert: 'SatelliteOrphansLeft', expr: `max(${of('satellite_operator_sweep_spared')}) > 0`, for: '1h', severity: 'warning',
    summary: 'Registry entries have no object and are not taken away', description: 'The log of the operator says why: no OPERATOR_INSTALLATION, or so many that it may be the wrong cluster. Apply the objects again, or remove the entries in the administration.',
  },
  {
    alert: 'SatelliteRegistryDrift', expr: `sum(increase(${of('satellite_operator_drift_seconds').replace('{', '_count{')}[1h])) > 5`, for: '0m', severity: 'info',
    summary: 'Somebody keeps editing registry entries that the operator manages', description: 'Every edit is undone. Events DriftCorrected name the objects and fields; change the SatelliteApp instead.',
  },
];
