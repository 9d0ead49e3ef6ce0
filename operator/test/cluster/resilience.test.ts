import type { SatelliteApp } from '../../src/controllers/satellite-app/satellite-app.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { until } from '../support/until.js';
import { Fixture } from './support/fixture.js';
import type { OperatorProcess } from './support/operator-process.js';

jest.setTimeout(180_000);

interface Lease {
  readonly spec: { readonly holderIdentity: string };
}

const NAMESPACE = 'resilience';
const isReady = ({ status }: SatelliteApp): boolean => status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

describe('an operator in a bad neighbourhood', () => {
  let fixture: Fixture;
  let proxy: FaultProxy | undefined;

  beforeAll(async () => {
    fixture = await Fixture.open(NAMESPACE);
  });
  afterEach(async () => {
    await fixture.cluster.kubectl(['delete', 'sat', '--all', '-n', NAMESPACE, '--timeout=30s']);
    await fixture.endOperators();
    await proxy?.close();
    proxy = undefined;
  });
  afterAll(() => fixture.close());

  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const applyAll = (all: readonly string[]) => fixture.cluster.apply(all.map((name) => fixture.app(name)).join('\n'));
  const apps = async () => (await fixture.cluster.json<{ items: SatelliteApp[] }>(['get', 'sat', '-n', NAMESPACE])).items;
  /** Answers of /livez and /readyz. */
  const health = async (operator: OperatorProcess) => {
    const url = await operator.healthUrl();
    return Promise.all(['/livez', '/readyz'].map(async (path) => (await fetch(url + path)).status));
  };
  const allReady = (count: number, limitMs = 30_000) => until(apps, (all) => all.filter(isReady).length === count, { limitMs, what: `${count} apps ready` });

  it('finishes after SIGKILL what it had begun, once', async () => {
    const writesBefore = await fixture.platform.writes();
    const victim = fixture.startOperator({ OPERATOR_WORKERS: '2' });
    await victim.works();
    const all = names('killed', 40);
    const applied = applyAll(all);
    await until(() => fixture.platform.slugs(), (slugs) => slugs.filter((slug) => slug.startsWith('killed')).length >= 5);
    await victim.end('SIGKILL');
    await applied;
    await fixture.cluster.kubectl(['delete', 'sat', 'killed-0', '-n', NAMESPACE, '--wait=false']);
    await fixture.startOperator().works();
    await allReady(39);
    await fixture.entry('killed-0', (entry) => entry === undefined);
    const slugs = (await fixture.platform.slugs()).filter((slug) => slug.startsWith('killed'));
    expect(slugs).toHaveLength(39);
    // 40 entries written once, one removed: what was half done when it died was not done twice.
    expect((await fixture.platform.writes()) - writesBefore).toBeLessThanOrEqual(41);
  });

  it('hands the lead over: after SIGTERM without waiting for the lease to run out, after SIGKILL when it has', async () => {
    const election = { OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: 'hand-over' };
    const first = fixture.startOperator({ ...election, OPERATOR_POD_NAME: 'first' });
    await first.works();
    const standby = fixture.startOperator(election);
    await standby.logged('health and metrics are served');
    await until(async () => (await fetch(`${await standby.healthUrl()}/readyz`)).status, (status) => status === 200);
    expect(standby.find('operator works')).toBeUndefined();
    expect(await health(standby)).toEqual([200, 200]);
    expect(await first.end('SIGTERM')).toBe(0);
    // hack/bench measures how fast. Here: it gave the lease back, so that nobody has to wait until it runs out.
    expect((await fixture.cluster.json<Lease>(['get', 'lease', 'hand-over', '-n', NAMESPACE])).spec.holderIdentity).not.toMatch(/^first_/);
    await standby.works();
    const next = fixture.startOperator(election);
    await until(async () => (await fetch(`${await next.healthUrl()}/readyz`)).status, (status) => status === 200);
    await standby.end('SIGKILL');
    await next.works(60_000);
    await fixture.cluster.apply(fixture.app('after-hand-over'));
    await fixture.waitReady('after-hand-over');
  });

  it('ends with an error when somebody else takes its lease', async () => {
    const operator = fixture.startOperator({ OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: 'stolen' });
    await operator.works();
    await fixture.cluster.kubectl(['patch', 'lease', 'stolen', '-n', NAMESPACE, '--type=merge', '-p', '{"spec":{"holderIdentity":"somebody-else","leaseDurationSeconds":15}}']);
    await operator.logged('the lease was lost: this process must end');
    expect(await operator.end('SIGTERM')).toBe(1);
  });

  it('sees what was applied around an API server that died', async () => {
    await fixture.startOperator().works();
    await applyAll(names('before', 5));
    await fixture.cluster.restartApiServer(500);
    await applyAll(names('after', 5));
    await allReady(10);
  });

  it('sees every object through cut watches, 410, 429 and 500', async () => {
    const faults = new FaultProxy(fixture.cluster.server);
    proxy = faults;
    const kubeconfig = await fixture.cluster.kubeconfigVia(await faults.listen(), 'faults');
    await fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig }).works();
    await until(() => faults.openWatches, (open) => open > 0);
    await applyAll(names('cut', 3));
    expect(faults.cutWatches()).toBeGreaterThan(0);
    await applyAll(names('cut-again', 3));
    await allReady(6);

    await until(() => faults.openWatches, (open) => open > 0);
    faults.sayInWatches({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } });
    await applyAll(names('gone', 3));
    await allReady(9);

    let refused = 0;
    faults.fault = (request, response) => {
      if (!request.url?.includes('/satelliteapps') || refused >= 6) return undefined;
      refused += 1;
      if (refused % 3 === 0) response.writeHead(500).end('oops');
      else response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'slow down' }));
      return true;
    };
    faults.cutWatches();
    await applyAll(names('busy', 3));
    await allReady(12);
    expect(refused).toBe(6);
  });

  it('is not deceived by late news of an object that is gone', async () => {
    const faults = new FaultProxy(fixture.cluster.server);
    proxy = faults;
    const operator = fixture.startOperator({ OPERATOR_KUBECONFIG: await fixture.cluster.kubeconfigVia(await faults.listen(), 'late') });
    await operator.works();
    await applyAll(['gone']);
    await fixture.waitReady('gone');
    const before = await fixture.get('gone');
    await fixture.cluster.kubectl(['delete', 'sat', 'gone', '-n', NAMESPACE, '--timeout=30s']);
    const writes = await fixture.platform.writes();
    // The API server has told of its end when it tells of what came after it.
    await applyAll(['after']);
    await fixture.waitReady('after');
    for (const type of ['ADDED', 'MODIFIED']) faults.sayInWatches({ type, object: before });
    await operator.logged('listing again');
    await applyAll(['later']);
    await fixture.waitReady('later');
    expect(await fixture.platform.slugs()).toEqual(['after', 'later']);
    expect(await fixture.platform.writes()).toBe(writes + 2);
  });

  it('opens another watch when one goes silent without an end, and is healthy all the time', async () => {
    const faults = new FaultProxy(fixture.cluster.server);
    proxy = faults;
    const kubeconfig = await fixture.cluster.kubeconfigVia(await faults.listen(), 'silent');
    const operator = fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig, OPERATOR_WATCH_SILENCE_SECONDS: '2' });
    await operator.works();
    await until(() => faults.silenceWatches(), (silenced) => silenced > 0);
    await applyAll(names('unheard', 3));
    await allReady(3);
    expect((await operator.logged('watch interrupted: opening again'))['detail']).toBe('nothing arrived on the watch for too long');
    expect(await health(operator)).toEqual([200, 200]);
  });

  it('is healthy while the API server is away, and lists what it has missed', async () => {
    const faults = new FaultProxy(fixture.cluster.server);
    proxy = faults;
    const kubeconfig = await fixture.cluster.kubeconfigVia(await faults.listen(), 'away');
    const operator = fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig });
    await operator.works();
    await until(() => faults.openWatches, (open) => open > 0);
    faults.fault = (_request, response) => {
      response.destroy();
      return true;
    };
    faults.cutWatches();
    // After three watches it tries a list, and goes on trying.
    await operator.logged('listing again');
    await applyAll(names('missed', 3));
    expect(await health(operator)).toEqual([200, 200]);
    faults.fault = () => undefined;
    await allReady(3);
  });

  it('sees every object, only later, when answers are slow and come in pieces', async () => {
    const faults = new FaultProxy(fixture.cluster.server);
    proxy = faults;
    Object.assign(faults, { delayMs: 400, pieceBytes: 97 });
    const kubeconfig = await fixture.cluster.kubeconfigVia(await faults.listen(), 'slow');
    await applyAll(names('listed', 2));
    const operator = fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig });
    expect((await fetch(`${await operator.healthUrl()}/livez`)).status).toBe(200);
    await operator.works();
    // Characters of several bytes, which the pieces cut apart.
    await fixture.cluster.apply(fixture.app('slow', { name: 'Prüfstand für Übergrößen 🛰' }));
    await applyAll(names('watched', 3));
    await allReady(6);
    expect((await fixture.platform.entry('slow'))?.name).toBe('Prüfstand für Übergrößen 🛰');
    Object.assign(faults, { delayMs: 0, pieceBytes: undefined });
  });

  it('waits for a Shell that is down, keeps what is registered, and goes on', async () => {
    const operator = fixture.startOperator();
    await operator.works();
    await applyAll(['steady']);
    await fixture.waitReady('steady');
    await fixture.platform.goDown();
    await expect(fixture.platform.launchpad()).rejects.toThrow('fetch failed');
    await applyAll(names('waiting', 5));
    const waiting = await fixture.waitReason('waiting-0', 'RegistryUnavailable');
    expect(waiting.status?.conditions?.find(({ type }) => type === 'Reconciling')?.status).toBe('True');
    expect(await fixture.platform.slugs()).toEqual(['steady']);
    await operator.logged('the registry does not answer: it is not called for a while');
    expect(await health(operator)).toEqual([200, 200]);
    await fixture.platform.comeBack();
    await operator.logged('the registry answers: what waited for it goes on');
    await allReady(6);
    expect((await fixture.platform.launchpad()).map(({ slug }) => slug)).toEqual(['steady', ...names('waiting', 5)]);
  });

  it('serves on and fills the cache again when Redis has lost everything', async () => {
    await fixture.startOperator().works();
    await applyAll(['cached']);
    await fixture.waitReady('cached');
    const entry = await fixture.platform.entry('cached');
    const writes = await fixture.platform.writes();
    await fixture.platform.loseRedis();
    expect(await fixture.platform.launchpad()).toEqual([expect.objectContaining({ slug: 'cached' })]);
    await until(() => fixture.platform.cached('cached'), (cached) => cached?.revision === entry?.revision);
    expect(await fixture.platform.writes()).toBe(writes);
    await fixture.platform.loseRedis();
    await applyAll(['after-loss']);
    await fixture.waitReady('after-loss');
    const { status } = await fixture.get('after-loss');
    expect(status?.conditions?.find(({ type }) => type === 'CacheSynced')).toMatchObject({ status: 'True', reason: 'CacheCurrent' });
    expect((await fixture.platform.cached('after-loss'))?.revision).toBe(status?.registry?.revision);
    expect((await fixture.platform.cached('cached'))?.revision).toBe(entry?.revision);
  });

  it('writes nothing when nothing changed', async () => {
    await fixture.startOperator().works();
    await applyAll(names('quiet', 5));
    const before = await allReady(5);
    const writes = await fixture.platform.writes();
    await fixture.endOperators();
    const operator = fixture.startOperator();
    await operator.works();
    const url = await operator.healthUrl();
    await until(async () => (await fetch(`${url}/metrics`)).text(), (text) => /controller_runtime_reconcile_total\{[^}]*requeue_after[^}]*\} 5/.test(text));
    expect(await fixture.platform.writes()).toBe(writes);
    expect((await apps()).map(({ metadata }) => metadata.resourceVersion)).toEqual(before.map(({ metadata }) => metadata.resourceVersion));
  });
});
