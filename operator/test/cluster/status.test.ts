import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SatelliteApp } from '../../src/controllers/satellite-app/satellite-app.js';
import { until } from '../support/until.js';
import { Fixture, SAMPLES } from './support/fixture.js';

jest.setTimeout(180_000);

const ASK = 'platform.satellite.io/reconcile-requested-at';

describe('what the status of a SatelliteApp knows', () => {
  let fixture: Fixture;
  /** The operator that works now; tests of the sweep start others. */
  const operate = (environment: Readonly<Record<string, string>> = {}) => fixture.startOperator({ OPERATOR_INSTALLATION: 'here', OPERATOR_WATCH_NAMESPACE: 'status', ...environment }).works();

  beforeAll(async () => {
    fixture = await Fixture.open('status');
    await operate();
  });
  afterAll(() => fixture.close());

  const get = (name: string) => fixture.get(name);
  const conditionOf = ({ status }: SatelliteApp, type: string) => status?.conditions?.find((condition) => condition.type === type);
  const ask = async (name: string, when: string): Promise<SatelliteApp> => {
    await fixture.cluster.kubectl(['annotate', 'sat', name, '-n', 'status', `${ASK}=${when}`, '--overwrite']);
    return until(() => get(name), ({ status }) => status?.lastHandledReconcileAt === when, { what: `${name} handled ${when}` });
  };
  const eventsOf = async (name: string) => (await fixture.cluster.json<{ items: { reason: string; regarding: { name: string } }[] }>(['get', 'events.events.k8s.io', '-n', 'status'])).items.filter(({ regarding }) => regarding.name === name).map(({ reason }) => reason);
  /** A sample, with the API of the test satellite instead of its own. */
  const applySample = async (file: string): Promise<void> => {
    await fixture.cluster.kubectl(['apply', '-n', 'status', '-f', '-'], (await readFile(join(SAMPLES, file), 'utf8')).replace('/notes/api', fixture.satellite.apiUrl));
  };

  it('is what the Shell shows to administrators, and a check that finds nothing new writes nothing anywhere', async () => {
    await fixture.cluster.apply(fixture.app('quiet', { interval: '10s' }));
    await fixture.waitReady('quiet');
    const listed = await until(() => fixture.platform.adminApp('quiet'), (app) => app?.report != null);
    expect(listed?.report).toMatchObject({ observedVersion: '1.0.0', degraded: false });
    expect(Object.fromEntries((listed?.report?.conditions ?? []).map(({ type, status }) => [type, status]))).toMatchObject({ Ready: 'True', Registered: 'True', CacheSynced: 'True', UIReachable: 'True', APICompatible: 'True', Drifted: 'False' });
    const before = await until(() => get('quiet'), ({ status }) => status?.api?.digest !== undefined);
    expect(before.status?.history).toMatchObject([{ generation: 1, version: '1.0.0', result: 'Succeeded', reason: 'Registered', uiDigest: before.status?.uiDigest }]);
    const probes = () => fixture.satellite.requests.filter((path) => path === '/api/health').length;
    const written = async () => [(await get('quiet')).metadata.resourceVersion, await fixture.platform.writes()];
    // On a machine so busy that a probe fails there is something to write; then the next stretch counts.
    const quietStretch = async (): Promise<boolean> => {
      const [start, probed] = [await written(), probes()];
      await until(probes, (count) => count >= probed + 2, { limitMs: 60_000, what: 'two more checks' });
      return JSON.stringify(await written()) === JSON.stringify(start);
    };
    await until(quietStretch, (quiet) => quiet, { limitMs: 90_000, what: 'two checks that write nothing' });
  });

  it('keeps the last outcomes, and the drift that was undone', async () => {
    const { platform } = fixture;
    await platform.asAdmin('PUT', `/api/admin/apps/${(await platform.entry('quiet'))?.id}?force=true`, { category: 'By hand' });
    await ask('quiet', 'drift');
    const { status } = await ask('quiet', 'later');
    expect(status?.differences).toBeUndefined();
    expect(status?.lastDrift).toEqual({ time: expect.any(String), differences: [{ field: 'category', before: '"By hand"', after: 'null' }] });
    fixture.satellite.ui = 'not-found';
    await ask('quiet', 'ill');
    fixture.satellite.ui = 'ok';
    await fixture.cluster.apply(fixture.app('quiet', { interval: '10s', name: 'Quieter' }));
    const { status: after } = await until(() => get('quiet'), (app) => app.status?.history?.[0]?.generation === 2 && app.status.history[0].reason === 'Registered');
    // Between the two it may have been checked once more, as what it was.
    expect(after?.history?.find(({ reason }) => reason === 'UIUnreachable')).toMatchObject({ generation: 1, result: 'Waiting', durationSeconds: expect.any(Number) });
    expect(after?.history?.at(-1)).toEqual(status?.history?.at(-1));
  });

  it('tells the truth about a cache that was lost, lost one entry, or is away', async () => {
    const { platform } = fixture;
    await platform.loseRedis();
    const flushed = await ask('quiet', 'flushed');
    expect(conditionOf(flushed, 'CacheSynced')).toMatchObject({ status: 'True' });
    expect(await platform.cached('quiet')).toMatchObject({ revision: flushed.status?.registry?.revision, app: { name: 'Quieter' } });
    await platform.loseCachedEntry('quiet');
    const healed = await ask('quiet', 'healed');
    expect(conditionOf(healed, 'CacheSynced')).toMatchObject({ status: 'True' });
    expect(await platform.cached('quiet')).toMatchObject({ revision: healed.status?.registry?.revision, app: { name: 'Quieter' } });
    expect(await platform.launchpad()).toEqual(expect.arrayContaining([expect.objectContaining({ slug: 'quiet' })]));
    const back = platform.takeRedisAway();
    const away = await ask('quiet', 'away').finally(back);
    expect(conditionOf(away, 'CacheSynced')).toMatchObject({ status: 'Unknown', reason: 'CacheUnavailable' });
    expect(conditionOf(await ask('quiet', 'back'), 'CacheSynced')).toMatchObject({ status: 'True' });
  });

  it('calls an app degraded that fails for longer than a moment, once, and keeps it in the launchpad', async () => {
    const { platform, satellite } = fixture;
    await fixture.cluster.kubectl(['delete', 'sat', 'quiet', '-n', 'status', '--timeout=20s']);
    await applySample('waiting/degraded.yaml');
    await fixture.waitReady('degraded');
    await until(() => platform.adminApp('degraded'), (app) => app?.report != null);
    const writes = await platform.writes();
    satellite.api = 'unhealthy';
    await until(() => platform.adminApp('degraded'), (app) => app?.effectiveStatus === 'degraded', { limitMs: 60_000 });
    expect(await platform.adminApp('degraded')).toMatchObject({ status: 'active', report: { degraded: true } });
    expect(await platform.launchpad()).toEqual([expect.objectContaining({ slug: 'degraded', status: 'degraded' })]);
    expect(conditionOf(await until(() => get('degraded'), (app) => conditionOf(app, 'Degraded') !== undefined), 'Degraded')).toMatchObject({ status: 'True', reason: 'ProbesFail' });
    expect(await platform.writes()).toBe(writes + 1);
    satellite.api = 'ok';
    await until(() => platform.adminApp('degraded'), (app) => app?.effectiveStatus === 'active', { limitMs: 60_000 });
    await fixture.waitReady('degraded');
    const { status } = await until(() => get('degraded'), (app) => app.status?.health?.degraded === false);
    expect(status?.registry?.cachedRevision).toBe(status?.registry?.revision);
    expect(await platform.writes()).toBe(writes + 2);
    expect(await until(() => eventsOf('degraded'), (reasons) => reasons.includes('Recovered'))).toEqual(expect.arrayContaining(['Degraded', 'Recovered']));
    await fixture.cluster.kubectl(['delete', 'sat', 'degraded', '-n', 'status', '--timeout=20s']);
  });

  it('holds back an app whose API breaks users, as the samples say', async () => {
    const { platform, satellite } = fixture;
    const answer = (...names: string[]) => ({ '/notes': { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) } } } } } } } });
    const kept = (version: string) => until(() => get('changing'), ({ status }) => status?.api?.version === version && status.version === version, { what: `${version} is what the next one is compared with` });
    satellite.paths = answer('title', 'text');
    await applySample('api-changes/1-compatible.yaml');
    await kept('1.0.0');
    satellite.paths = answer('title');
    await applySample('api-changes/2-breaking.yaml');
    const broken = await fixture.waitReason('changing', 'APIIncompatible');
    expect(conditionOf(broken, 'APICompatible')).toMatchObject({ status: 'False', reason: 'BreakingChanges' });
    expect(conditionOf(broken, 'Stalled')?.message).toContain('annotate sat changing --overwrite platform.satellite.io/accept-api-changes=sha256:');
    expect(broken.status?.apiBreaks).toEqual([{ where: 'GET /notes response 200.text', what: 'is no longer there' }]);
    expect(await platform.adminApp('changing')).toMatchObject({ version: '1.0.0', report: { observedVersion: '1.0.0' } });
    await applySample('api-changes/3-accepted.yaml');
    expect((await kept('1.1.0')).status?.apiBreaks).toBeUndefined();
    await until(() => eventsOf('changing'), (reasons) => reasons.includes('BreakingChangesAccepted'));
    satellite.paths = answer();
    await applySample('api-changes/4-new-major.yaml');
    await kept('2.0.0');
    await fixture.waitReady('changing');
    satellite.paths = {};
    await fixture.cluster.kubectl(['delete', 'sat', 'changing', '-n', 'status', '--timeout=20s']);
  });

  it('knows no entry without an object for long, and touches none of another installation', async () => {
    const { cluster, platform } = fixture;
    for (const name of ['here', 'living']) {
      await cluster.apply(fixture.app(name));
      await fixture.waitReady(name);
    }
    await fixture.endOperators();
    await cluster.try(['create', 'namespace', 'status-there']);
    await operate({ OPERATOR_INSTALLATION: 'there', OPERATOR_WATCH_NAMESPACE: 'status-there' });
    await cluster.apply(fixture.app('there', {}, 'status-there'));
    await fixture.waitReason('there', 'Registered', 'status-there');
    await fixture.endOperators();
    for (const [name, namespace] of [['here', 'status'], ['there', 'status-there']] as const) {
      await cluster.kubectl(['patch', 'sat', name, '-n', namespace, '--type=merge', '-p', '{"metadata":{"finalizers":[]}}']);
      await cluster.kubectl(['delete', 'sat', name, '-n', namespace, '--timeout=20s']);
    }
    // Of another shard: its mirror has nothing of the living one, so only the API server can tell.
    await operate({ OPERATOR_SWEEP_SECONDS: '1', OPERATOR_WATCH_NAMESPACE: '', OPERATOR_WATCH_LABEL_SELECTOR: 'shard=two' });
    await fixture.entry('here', (entry) => entry === undefined, 60_000);
    expect(await platform.entry('living')).toMatchObject({ managedBy: 'operator' });
    expect(await platform.entry('there')).toMatchObject({ managedBy: 'operator', sourceName: 'status-there/there' });
    const removed = await platform.asAdmin<{ action: string; before: { slug: string } }[]>('GET', '/api/admin/audit?limit=50');
    expect(removed.some(({ action, before }) => action === 'apps.remove' && before?.slug === 'here')).toBe(true);
  });
});
