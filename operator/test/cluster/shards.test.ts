import type { SatelliteApp } from '../../src/controllers/satellite-app/satellite-app.js';
import { until } from '../support/until.js';
import { Fixture } from './support/fixture.js';
import type { OperatorProcess } from './support/operator-process.js';

jest.setTimeout(240_000);

const NAMESPACE = 'shards';
const LABEL = 'platform.satellite.io/shard';

describe('two operators that share the objects by a label', () => {
  let fixture: Fixture;
  let shard: OperatorProcess;
  let rest: OperatorProcess;

  beforeAll(async () => {
    fixture = await Fixture.open(NAMESPACE);
    shard = fixture.startOperator({ OPERATOR_POD_NAME: 'shard-a', OPERATOR_WATCH_LABEL_SELECTOR: `${LABEL}=a`, OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: 'shard-a' });
    rest = fixture.startOperator({ OPERATOR_POD_NAME: 'rest', OPERATOR_WATCH_LABEL_SELECTOR: `!${LABEL}`, OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: 'rest' });
    await Promise.all([shard.works(), rest.works()]);
  });
  afterAll(() => fixture.close());

  const app = (name: string, labels: Record<string, string>, spec: Record<string, unknown> = {}) => {
    const manifest = JSON.parse(fixture.app(name, spec)) as { metadata: object };
    return JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, labels } });
  };
  /** Who told events about an object, by the name of its pod. */
  const tellers = async (name: string) => {
    const { items } = await fixture.cluster.json<{ items: { reportingInstance: string; regarding: { name: string } }[] }>(['get', 'events.events.k8s.io', '-n', NAMESPACE]);
    return [...new Set(items.filter(({ regarding }) => regarding.name === name).map(({ reportingInstance }) => reportingInstance.replace(/_.*$/, '')))];
  };
  const reconciles = async (operator: OperatorProcess) => {
    const text = await (await fetch(`${await operator.healthUrl()}/metrics`)).text();
    return [...text.matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const kubectl = (...args: string[]) => fixture.cluster.kubectl([...args, '-n', NAMESPACE]);
  const asked = (token: string) => until(() => fixture.get('moving'), ({ status }: SatelliteApp) => status?.lastHandledReconcileAt === token);

  it('each take their own and nothing else', async () => {
    await fixture.cluster.apply([app('moving', { [LABEL]: 'a' }), app('staying', {})].join('\n'));
    await fixture.waitReady('moving');
    await fixture.waitReady('staying');
    expect(await until(() => tellers('moving'), (found) => found.length > 0)).toEqual(['shard-a']);
    expect(await until(() => tellers('staying'), (found) => found.length > 0)).toEqual(['rest']);
    expect((await fixture.cluster.json<{ items: { metadata: { name: string } }[] }>(['get', 'leases', '-n', NAMESPACE])).items.map(({ metadata: { name } }) => name)).toEqual(['rest', 'shard-a']);
  });

  it('hand an object over when its label changes, without touching its entry', async () => {
    const before = await fixture.platform.entry('moving');
    await kubectl('label', 'sat', 'moving', `${LABEL}-`);
    await kubectl('annotate', 'sat', 'moving', 'platform.satellite.io/reconcile-requested-at=handed-over');
    await asked('handed-over');
    expect(await fixture.platform.entry('moving')).toEqual(before);
    await shard.end();
    await kubectl('patch', 'sat', 'moving', '--type=merge', '-p', '{"spec":{"name":"Moved"}}');
    expect(await fixture.entry('moving', (entry) => entry?.name === 'Moved')).toMatchObject({ id: before?.id });
  });

  it('take back what they had forgotten', async () => {
    shard = fixture.startOperator({ OPERATOR_WATCH_LABEL_SELECTOR: `${LABEL}=a`, OPERATOR_LEASE_NAME: 'shard-a' });
    await shard.works();
    await kubectl('label', 'sat', 'moving', `${LABEL}=a`);
    await until(() => reconciles(shard), (count) => count > 0);
    const restBefore = await reconciles(rest);
    for (const token of ['one', 'two']) {
      await kubectl('annotate', 'sat', 'moving', `platform.satellite.io/reconcile-requested-at=${token}`, '--overwrite');
      await asked(token);
    }
    expect(await reconciles(rest)).toBe(restBefore);
  });

  it('cannot both have a slug: the registry knows who was first', async () => {
    await fixture.cluster.apply(app('rival', { [LABEL]: 'a' }, { slug: 'staying' }));
    await fixture.waitReason('rival', 'RegistryConflict');
    expect(await fixture.platform.entry('staying')).toMatchObject({ sourceName: `${NAMESPACE}/staying` });
  });

  it('let go of deleted objects, each of its own', async () => {
    await kubectl('delete', 'sat', '--all', '--timeout=30s');
    expect(await fixture.platform.slugs()).toEqual([]);
  });
});
