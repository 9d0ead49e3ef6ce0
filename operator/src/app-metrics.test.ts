import { Registry } from '@satellite/kit/telemetry';
import { silentLogger } from '../test/support/silent-logger.js';
import { AppMetrics } from './app-metrics.js';
import type { SatelliteApp } from './controllers/satellite-app/satellite-app.js';
import { METRICS } from './monitoring/metric-list.js';
import { observeBreaker } from './registry-breaker.js';
import { CircuitBreaker } from './runtime/circuit-breaker.js';
import { ControllerMetrics, QueueMetrics } from './runtime/metrics.js';
import { WorkQueue } from './runtime/workqueue.js';

const START = Date.parse('2026-01-01T00:00:00Z');

function appOf(name: string, more: { readonly deletedAt?: string; readonly ready?: 'True' | 'False'; readonly suspend?: boolean } = {}): SatelliteApp {
  const conditions = more.ready && [{ type: 'Ready', status: more.ready, reason: more.ready === 'True' ? 'Registered' : 'UIUnreachable', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  return {
    metadata: { namespace: 'default', name, creationTimestamp: '2026-01-01T00:00:00Z', ...(more.deletedAt !== undefined && { deletionTimestamp: more.deletedAt }) },
    spec: { suspend: more.suspend ?? false },
    ...(conditions && { status: { observedGeneration: 1, conditions } }),
  } as SatelliteApp;
}

function setUp() {
  const registry = new Registry();
  const apps: SatelliteApp[] = [];
  const time = { now: START, silentMs: 0, leads: false };
  const metrics = new AppMetrics({ registry, controller: 'satelliteapp', clock: { now: () => time.now }, apps: { list: () => apps, silentMs: () => time.silentMs }, leads: () => time.leads });
  /** Lines of one metric. */
  const read = async (name: string) => (await registry.getSingleMetricAsString(name)).split('\n').filter((line) => !line.startsWith('#'));
  return { registry, apps, time, metrics, read };
}

describe('the metrics of apps', () => {
  it('measure creation to Ready, deletion, and the longest time a drift can have stood there', async () => {
    const { metrics, time, read } = setUp();
    time.now = START + 4000;
    metrics.firstReady(appOf('a'));
    metrics.deleted(appOf('a', { deletedAt: '2026-01-01T00:00:01Z' }));
    time.now = START + 10_000;
    metrics.looked(appOf('b'), true); // unknown before: since the start
    time.now = START + 40_000;
    metrics.looked(appOf('b'), true);
    expect(await read('satellite_operator_time_to_ready_seconds')).toContain('satellite_operator_time_to_ready_seconds_sum{controller="satelliteapp"} 4');
    expect(await read('satellite_operator_deletion_seconds')).toContain('satellite_operator_deletion_seconds_sum{controller="satelliteapp"} 3');
    expect(await read('satellite_operator_drift_seconds')).toContain('satellite_operator_drift_seconds_sum{controller="satelliteapp"} 40');
    expect(await read('satellite_operator_drift_seconds')).toContain('satellite_operator_drift_seconds_count{controller="satelliteapp"} 2');
  });

  it('know nothing of an object that went, when another one has its name', async () => {
    const { metrics, time, read } = setUp();
    time.now = START + 30_000;
    metrics.looked(appOf('a'), false);
    metrics.forget('default/a');
    time.now = START + 40_000;
    metrics.looked(appOf('a'), true);
    expect(await read('satellite_operator_drift_seconds')).toContain('satellite_operator_drift_seconds_sum{controller="satelliteapp"} 40');
  });

  it('never count backwards when the clocks of object and operator differ', async () => {
    const { metrics, time, read } = setUp();
    time.now = START - 2000;
    metrics.firstReady(appOf('a'));
    expect(await read('satellite_operator_time_to_ready_seconds')).toContain('satellite_operator_time_to_ready_seconds_sum{controller="satelliteapp"} 0');
  });

  it('show where each object stands, and nothing of one that is gone', async () => {
    const { apps, read } = setUp();
    apps.push(appOf('good', { ready: 'True' }), appOf('bad', { ready: 'False' }), appOf('new'), appOf('resting', { suspend: true }));
    expect(await read('gotk_reconcile_condition')).toEqual([
      'gotk_reconcile_condition{kind="SatelliteApp",name="good",exported_namespace="default",type="Ready",status="True",reason="Registered"} 1',
      'gotk_reconcile_condition{kind="SatelliteApp",name="bad",exported_namespace="default",type="Ready",status="False",reason="UIUnreachable"} 1',
      'gotk_reconcile_condition{kind="SatelliteApp",name="new",exported_namespace="default",type="Ready",status="Unknown",reason="NotReconciled"} 1',
      'gotk_reconcile_condition{kind="SatelliteApp",name="resting",exported_namespace="default",type="Ready",status="Unknown",reason="NotReconciled"} 1',
    ]);
    expect(await read('gotk_suspend_status')).toContain('gotk_suspend_status{kind="SatelliteApp",name="resting",exported_namespace="default"} 1');
    apps.length = 0;
    expect(await read('gotk_reconcile_condition')).toEqual([]);
  });

  it('say who leads and how long the source has been silent', async () => {
    const { time, read } = setUp();
    expect(await read('leader_election_master_status')).toEqual(['leader_election_master_status{name="satelliteapp"} 0']);
    Object.assign(time, { leads: true, silentMs: 1500 });
    expect(await read('leader_election_master_status')).toEqual(['leader_election_master_status{name="satelliteapp"} 1']);
    expect(await read('satellite_operator_watch_silent_seconds')).toEqual(['satellite_operator_watch_silent_seconds{controller="satelliteapp"} 1.5']);
  });
});

describe('the metrics of what goes on beside', () => {
  it('show each roll-out that is not complete, and nothing of those that are', async () => {
    const { apps, read } = setUp();
    const withStatus = (name: string, status: object) => ({ ...appOf(name), status: { observedGeneration: 1, ...status } }) as SatelliteApp;
    apps.push(
      withStatus('both', { enablement: { phase: 'Paused', percent: 20 }, rollout: { phase: 'Progressing', percent: 5 } }),
      withStatus('back', { enablement: { phase: 'Completed', percent: 100 }, rollout: { phase: 'RolledBack', percent: 0 } }),
      withStatus('done', { rollout: { phase: 'Completed' } }),
      appOf('plain'),
    );
    expect(await read('satellite_operator_rollout_percent')).toEqual([
      'satellite_operator_rollout_percent{kind="SatelliteApp",name="both",exported_namespace="default",part="waves",phase="Paused"} 20',
      'satellite_operator_rollout_percent{kind="SatelliteApp",name="both",exported_namespace="default",part="front-end",phase="Progressing"} 5',
      'satellite_operator_rollout_percent{kind="SatelliteApp",name="back",exported_namespace="default",part="front-end",phase="RolledBack"} 0',
    ]);
    apps.length = 0;
    expect(await read('satellite_operator_rollout_percent')).toEqual([]);
  });

  it('count pauses, rollbacks and reports', async () => {
    const { metrics, read } = setUp();
    metrics.rollOutPaused('waves');
    metrics.rollOutPaused('front-end');
    metrics.rollOutPaused('front-end');
    metrics.rolledBack();
    metrics.reported('sent');
    metrics.reported('failed');
    expect(await read('satellite_operator_rollout_pauses_total')).toEqual(expect.arrayContaining([expect.stringMatching(/part="waves"\} 1$/), expect.stringMatching(/part="front-end"\} 2$/)]));
    expect(await read('satellite_operator_rollbacks_total')).toEqual([expect.stringMatching(/ 1$/)]);
    expect(await read('satellite_operator_reports_total')).toEqual([expect.stringMatching(/result="sent"\} 1$/), expect.stringMatching(/result="failed"\} 1$/)]);
  });

  it('say what searches for orphans found, took and left', async () => {
    const { metrics, read } = setUp();
    metrics.swept({ entries: 10, orphans: 3, removed: 0, isHeld: false });
    metrics.swept({ entries: 10, orphans: 3, removed: 2, isHeld: false });
    metrics.swept(undefined);
    const of = async (name: string) => (await read(name)).map((line) => line.replace(/^.*\{controller="satelliteapp",?(.*)\} /, '$1 '));
    expect([await of('satellite_operator_sweep_orphans'), await of('satellite_operator_sweep_spared'), await of('satellite_operator_sweep_removed_total')]).toEqual([[' 3'], [' 1'], [' 2']]);
    expect(await of('satellite_operator_sweeps_total')).toEqual(['result="done" 2', 'result="failed" 1']);
    metrics.swept({ entries: 10, orphans: 9, removed: 0, isHeld: true });
    expect(await of('satellite_operator_sweeps_total')).toContain('result="held" 1');
    expect(await of('satellite_operator_sweep_spared')).toEqual([' 9']);
  });
});

describe('the list of metrics', () => {
  it('has every metric that is measured, and no other', async () => {
    const { registry } = setUp();
    new ControllerMetrics(registry, 'satelliteapp');
    new QueueMetrics(registry, 'satelliteapp');
    const breaker = new CircuitBreaker({ probe: () => Promise.resolve(), isOutage: () => false });
    observeBreaker({ breaker, queue: new WorkQueue(), reconcile: () => Promise.resolve({}), controller: 'satelliteapp', logger: silentLogger, metrics: registry });
    expect(registry.getMetricsAsArray().map(({ name }) => name).sort()).toEqual(Object.keys(METRICS).sort());
  });
});
