import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { Fixture, SAMPLES } from './support/fixture.js';

jest.setTimeout(60_000);

describe('a SatelliteApp in a cluster', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.open('lifecycle');
    await fixture.startOperator().works();
  });
  afterAll(() => fixture.close());

  it('becomes ready after kubectl apply, with every condition about this generation', async () => {
    await fixture.cluster.apply(fixture.app('drive', { permissions: [{ code: 'drive.files:read' }], limitKeys: [{ key: 'drive.storage_bytes' }] }));
    await fixture.waitReady('drive');
    const app = await fixture.get('drive');
    const conditions = Object.fromEntries((app.status?.conditions ?? []).map((condition) => [condition.type, condition]));
    expect(app.status?.observedGeneration).toBe(app.metadata.generation);
    for (const condition of Object.values(conditions)) expect(condition.observedGeneration).toBe(app.metadata.generation);
    expect(Object.fromEntries(Object.entries(conditions).map(([type, { status }]) => [type, status]))).toEqual({ Ready: 'True', Registered: 'True', CacheSynced: 'True', UIReachable: 'True', APICompatible: 'True', Drifted: 'False' });
    expect(app.status?.registry?.cachedRevision).toBe(app.status?.registry?.revision);
    expect(app.metadata.finalizers).toEqual(['platform.satellite.io/registry-entry']);
  });

  it('is then in the registry, in Redis and in the launchpad, all with the revision that the status shows', async () => {
    const { platform } = fixture;
    const revision = (await fixture.get('drive')).status?.registry?.revision;
    expect(await platform.entry('drive')).toMatchObject({ name: 'App drive', managedBy: 'operator', sourceName: 'lifecycle/drive', revision });
    expect(await platform.cached('drive')).toMatchObject({ revision, app: { name: 'App drive', apiUrl: fixture.satellite.apiUrl } });
    expect(await platform.adminApp('drive')).toMatchObject({ name: 'App drive', managedBy: 'operator', revision });
    expect(await platform.launchpad()).toEqual([expect.objectContaining({ slug: 'drive', name: 'App drive', version: '1.0.0', remoteEntry: `${fixture.satellite.uiUrl}/remoteEntry.js` })]);
  });

  it('shows what matters in kubectl get sat', async () => {
    const [head, row] = (await fixture.cluster.kubectl(['get', 'sat', 'drive', '-n', 'lifecycle'])).split('\n');
    expect(head?.split(/\s+/).filter(Boolean)).toEqual(['NAME', 'SLUG', 'TYPE', 'VERSION', 'READY', 'REASON', 'REVISION', 'AGE']);
    expect(row?.split(/\s+/).slice(0, 6)).toEqual(['drive', 'drive', 'satellite', '1.0.0', 'True', 'Registered']);
    expect(await fixture.cluster.kubectl(['get', 'satellite', '-n', 'lifecycle', '-o', 'wide'])).toContain(fixture.satellite.uiUrl);
  });

  it('tells what happened by events', async () => {
    const reasons = await until(async () => (await fixture.cluster.json<{ items: { reason: string; regarding: { name: string } }[] }>(['get', 'events.events.k8s.io', '-n', 'lifecycle'])).items.filter(({ regarding }) => regarding.name === 'drive').map(({ reason }) => reason), (found) => found.includes('Registered'));
    expect(reasons).toContain('Registered');
  });

  it('follows a change of the object', async () => {
    await fixture.cluster.apply(fixture.app('drive', { name: 'Files', version: '1.1.0' }));
    await fixture.entry('drive', (entry) => entry?.name === 'Files');
    const { status } = await until(() => fixture.get('drive'), (app) => app.status?.version === '1.1.0' && app.status.observedGeneration === app.metadata.generation);
    expect(await fixture.platform.cached('drive')).toMatchObject({ revision: status?.registry?.revision, app: { name: 'Files' } });
    expect(await fixture.platform.launchpad()).toEqual([expect.objectContaining({ slug: 'drive', name: 'Files', version: '1.1.0' })]);
  });

  it('checks at once when asked to, and says so', async () => {
    const writes = await fixture.platform.writes();
    const { metadata } = await fixture.get('drive');
    await fixture.cluster.kubectl(['annotate', 'sat', 'drive', '-n', 'lifecycle', 'platform.satellite.io/reconcile-requested-at=once', '--overwrite']);
    await until(() => fixture.get('drive'), (app) => app.status?.lastHandledReconcileAt === 'once');
    expect(await fixture.platform.writes()).toBe(writes);
    expect((await fixture.get('drive')).metadata.generation).toBe(metadata.generation);
  });

  it('undoes what an administrator forced upon its entry, and tells which fields', async () => {
    const { platform } = fixture;
    const entry = await platform.entry('drive');
    await platform.asAdmin('PUT', `/api/admin/apps/${entry?.id}?force=true`, { name: 'By hand' });
    expect(await platform.launchpad()).toEqual([expect.objectContaining({ name: 'By hand' })]);
    await fixture.cluster.kubectl(['annotate', 'sat', 'drive', '-n', 'lifecycle', 'platform.satellite.io/reconcile-requested-at=drift', '--overwrite']);
    const { status } = await until(() => fixture.get('drive'), (app) => app.status?.lastHandledReconcileAt === 'drift');
    expect(status?.differences).toEqual([{ field: 'name', before: '"By hand"', after: '"Files"' }]);
    expect(status?.conditions?.find(({ type }) => type === 'Drifted')).toMatchObject({ status: 'False', reason: 'DriftCorrected' });
    expect(await platform.launchpad()).toEqual([expect.objectContaining({ name: 'Files' })]);
  });

  it('leaves registry, Redis and launchpad with the object', async () => {
    const before = await fixture.platform.entry('drive');
    await fixture.cluster.kubectl(['delete', 'sat', 'drive', '-n', 'lifecycle', '--timeout=20s']);
    expect(await fixture.platform.entry('drive')).toBeUndefined();
    expect(await fixture.platform.launchpad()).toEqual([]);
    const tombstone = await fixture.platform.cached('drive');
    expect(tombstone?.app).toBeUndefined();
    expect(tombstone?.revision).toBeGreaterThan(before?.revision ?? 0);
  });

  it('leaves its entry to administrators with deletionPolicy Orphan', async () => {
    await fixture.cluster.apply(fixture.app('orphan', { deletionPolicy: 'Orphan' }));
    await fixture.waitReady('orphan');
    await fixture.cluster.kubectl(['delete', 'sat', 'orphan', '-n', 'lifecycle', '--timeout=20s']);
    expect(await fixture.platform.entry('orphan')).toMatchObject({ managedBy: 'api', sourceName: '' });
    expect(await fixture.platform.launchpad()).toEqual([expect.objectContaining({ slug: 'orphan' })]);
  });

  it('waits with a slug that an older object of another namespace holds, and gets it when that one goes', async () => {
    await fixture.cluster.try(['create', 'namespace', 'lifecycle-two']);
    await fixture.cluster.apply(fixture.app('older', { slug: 'contested' }));
    await fixture.waitReady('older');
    await fixture.cluster.apply(fixture.app('younger', { slug: 'contested' }, 'lifecycle-two'));
    const loser = await fixture.waitReason('younger', 'SlugConflict', 'lifecycle-two');
    expect(loser.status?.conditions?.find(({ type }) => type === 'Stalled')?.message).toContain('lifecycle/older');
    await fixture.cluster.kubectl(['delete', 'sat', 'older', '-n', 'lifecycle', '--timeout=20s']);
    await fixture.waitReason('younger', 'Registered', 'lifecycle-two');
    expect(await fixture.platform.entry('contested')).toMatchObject({ sourceName: 'lifecycle-two/younger' });
    await fixture.cluster.kubectl(['delete', 'sat', 'younger', '-n', 'lifecycle-two', '--timeout=20s']);
  });

  it('is not registered before its front-end answers, and stays registered when it fails later', async () => {
    fixture.satellite.ui = 'wrong-type';
    await fixture.cluster.apply(fixture.app('flaky', { interval: '10s' }));
    await fixture.waitReason('flaky', 'UIWrongType');
    expect(await fixture.platform.entry('flaky')).toBeUndefined();
    fixture.satellite.ui = 'ok';
    await fixture.waitReady('flaky');
    fixture.satellite.ui = 'not-found';
    await fixture.cluster.kubectl(['annotate', 'sat', 'flaky', '-n', 'lifecycle', 'platform.satellite.io/reconcile-requested-at=now']);
    await fixture.waitReason('flaky', 'UIUnreachable');
    expect(await fixture.platform.entry('flaky')).toBeDefined();
    fixture.satellite.ui = 'ok';
    await fixture.waitReady('flaky');
  });

  it('counts a repeated event instead of repeating it', async () => {
    fixture.satellite.ui = 'not-found';
    await fixture.cluster.kubectl(['annotate', 'sat', 'flaky', '-n', 'lifecycle', 'platform.satellite.io/reconcile-requested-at=again', '--overwrite']);
    await fixture.waitReason('flaky', 'UIUnreachable');
    const counts = async () => (await fixture.cluster.json<{ items: { reason: string; series?: { count: number } }[] }>(['get', 'events.events.k8s.io', '-n', 'lifecycle'])).items.filter(({ reason }) => reason === 'UIUnreachable').map(({ series }) => series?.count ?? 1);
    expect(await until(counts, ([count]) => count === 2)).toEqual([2]);
    fixture.satellite.ui = 'ok';
    await fixture.waitReady('flaky');
  });

  it.each([
    ['stalled/navigation-permission.yaml', 'navigation-permission', 'NavigationPermissionUnknown'],
    ['stalled/address-refused.yaml', 'address-refused', 'AddressRefused'],
    ['waiting/ui-unreachable.yaml', 'ui-unreachable', 'UIUnreachable'],
  ])('says of sample %s what the sample is for', async (file, name, reason) => {
    // Only the API of the last one is replaced by one that answers: what is wrong stays wrong.
    const text = (await readFile(join(SAMPLES, file), 'utf8')).replace('/notes/api', fixture.satellite.apiUrl);
    await fixture.cluster.kubectl(['apply', '-n', 'lifecycle', '-f', '-'], text);
    const app = await fixture.waitReason(name, reason);
    expect(app.status?.conditions?.some(({ type }) => type === (file.startsWith('stalled') ? 'Stalled' : 'Reconciling'))).toBe(true);
    expect(await fixture.platform.entry(name)).toBeUndefined();
  });

  it('serves its health and its metrics under the names dashboards know', async () => {
    const operator = fixture.startOperator({ OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: 'metrics' });
    await operator.works();
    const url = await operator.healthUrl();
    for (const path of ['/livez', '/readyz']) expect((await fetch(url + path)).status).toBe(200);
    const names = ['controller_runtime_reconcile_total', 'controller_runtime_reconcile_errors_total', 'controller_runtime_terminal_reconcile_errors_total', 'controller_runtime_reconcile_panics_total', 'controller_runtime_reconcile_time_seconds', 'controller_runtime_reconcile_timeouts_total', 'controller_runtime_max_concurrent_reconciles', 'controller_runtime_active_workers', 'workqueue_depth', 'workqueue_adds_total', 'workqueue_queue_duration_seconds', 'workqueue_work_duration_seconds', 'workqueue_unfinished_work_seconds', 'workqueue_longest_running_processor_seconds', 'workqueue_retries_total', 'satellite_operator_time_to_ready_seconds'];
    const served = [...(await (await fetch(`${url}/metrics`)).text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(served).toEqual(expect.arrayContaining(names));
    expect(await operator.end()).toBe(0);
  });
});
