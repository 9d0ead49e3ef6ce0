import type { MetricName } from '../src/monitoring/metric-list.js';

interface Query {
  /** PromQL. */
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** What one looks for in it. */
  readonly description: string;
  /** Of Grafana: ops, s, short. */
  readonly unit: string;
  readonly queries: readonly Query[];
}

/** Series of the namespace that the dashboard shows. */
const of = (name: MetricName, more = ''): string => `${name}{namespace="$namespace"${more}}`;
const rate = (name: MetricName, by = '', range = '5m'): string => `sum${by === '' ? '' : ` by (${by}) `}(rate(${of(name)}[${range}]))`;

/** Percentiles of a histogram, one query each. */
function percentiles(name: MetricName, percents: readonly number[], range = '5m'): readonly Query[] {
  return percents.map((percent) => ({ expr: `histogram_quantile(${percent / 100}, sum by (le) (rate(${of(name).replace('{', '_bucket{')}[${range}])))`, legend: `p${percent}` }));
}

/** The dashboard, in this order, two in a row. */
export const PANELS: readonly Panel[] = [
  { title: 'Apps by state', description: 'Ready False or Unknown needs somebody; the reason says what for.', unit: 'short', queries: [{ expr: `sum by (status, reason) (${of('gotk_reconcile_condition')})`, legend: '{{status}} {{reason}}' }] },
  { title: 'Suspended apps', description: 'Nothing is checked or corrected for them.', unit: 'short', queries: [{ expr: `sum(${of('gotk_suspend_status')})`, legend: 'suspended' }] },
  { title: 'Reconciles a second', description: 'By result.', unit: 'ops', queries: [{ expr: rate('controller_runtime_reconcile_total', 'result'), legend: '{{result}}' }] },
  { title: 'Time of a reconcile', description: 'Probes, registry and status together.', unit: 's', queries: percentiles('controller_runtime_reconcile_time_seconds', [50, 95, 99]) },
  { title: 'Errors and retries a second', description: 'Errors are logged under the key of the object.', unit: 'ops', queries: [
    { expr: rate('controller_runtime_reconcile_errors_total'), legend: 'errors' },
    { expr: rate('controller_runtime_reconcile_panics_total'), legend: 'of which programming errors' },
    { expr: rate('controller_runtime_reconcile_timeouts_total'), legend: 'cut off by time' },
    { expr: rate('workqueue_retries_total'), legend: 'retries' },
  ] },
  { title: 'Workers', description: 'All busy for long: the queue grows; give it more workers.', unit: 'short', queries: [
    { expr: `sum(${of('controller_runtime_active_workers')})`, legend: 'busy' },
    { expr: `max(${of('controller_runtime_max_concurrent_reconciles')})`, legend: 'there are' },
  ] },
  { title: 'Queue', description: 'Keys that wait, and the age of the work in progress.', unit: 'short', queries: [
    { expr: `sum(${of('workqueue_depth')})`, legend: 'waiting' },
    { expr: `max(${of('workqueue_longest_running_processor_seconds')})`, legend: 'longest work, s' },
  ] },
  { title: 'Time in the queue', description: 'New and changed objects go before periodic checks.', unit: 's', queries: percentiles('workqueue_queue_duration_seconds', [50, 95]) },
  { title: 'Time to Ready', description: 'From creation of an object to its first Ready.', unit: 's', queries: percentiles('satellite_operator_time_to_ready_seconds', [50, 95], '30m') },
  { title: 'Time to delete', description: 'From kubectl delete until the registry entry was gone.', unit: 's', queries: percentiles('satellite_operator_deletion_seconds', [50, 95], '30m') },
  { title: 'Drift found', description: 'Entries that somebody edited beside the object, an hour; and how long that can have stood.', unit: 'short', queries: [
    { expr: `sum(increase(${of('satellite_operator_drift_seconds').replace('{', '_count{')}[1h]))`, legend: 'an hour' },
    ...percentiles('satellite_operator_drift_seconds', [95], '1d'),
  ] },
  { title: 'Roll-outs under way', description: 'Percent of the organizations that each has reached. RolledBack stays until the object changes.', unit: 'percent', queries: [{ expr: `max by (exported_namespace, name, part, phase) (${of('satellite_operator_rollout_percent')})`, legend: '{{exported_namespace}}/{{name}} {{part}} {{phase}}' }] },
  { title: 'Roll-outs stopped', description: 'An hour. Pauses end by themselves when the probes are good again; a front-end that was taken back has to be corrected.', unit: 'short', queries: [
    { expr: `sum by (part) (increase(${of('satellite_operator_rollout_pauses_total')}[1h]))`, legend: '{{part}} paused' },
    { expr: `sum(increase(${of('satellite_operator_rollbacks_total')}[1h]))`, legend: 'taken back' },
  ] },
  { title: 'Entries without an object', description: 'What searches found, took away and left. Left for long: the log says why.', unit: 'short', queries: [
    { expr: `max(${of('satellite_operator_sweep_orphans')})`, legend: 'found' },
    { expr: `max(${of('satellite_operator_sweep_spared')})`, legend: 'left' },
    { expr: `sum(increase(${of('satellite_operator_sweep_removed_total')}[1h]))`, legend: 'taken away an hour' },
    { expr: `sum by (result) (increase(${of('satellite_operator_sweeps_total', ',result!="done"')}[1h]))`, legend: 'searches {{result}} an hour' },
  ] },
  { title: 'Reports to the Shell', description: 'Only what is new is reported; what failed is sent again.', unit: 'ops', queries: [{ expr: rate('satellite_operator_reports_total', 'result'), legend: '{{result}}' }] },
  { title: 'Calls of the registry', description: '0: they are made; 2: the Shell did not answer, none is made for a while; 1: one is tried.', unit: 'short', queries: [{ expr: `max(${of('satellite_operator_registry_breaker_state')})`, legend: 'breaker' }] },
  { title: 'Leader and watch', description: 'Exactly one process leads; its watch is never silent for over a minute.', unit: 'short', queries: [
    { expr: `sum(${of('leader_election_master_status')})`, legend: 'leaders' },
    { expr: `max(${of('satellite_operator_watch_silent_seconds')})`, legend: 'silence, s' },
  ] },
];
