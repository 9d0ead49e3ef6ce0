import { join } from 'node:path';
import { find, render, set } from '../../../hack/charts/test/cluster/support/helm.js';
import { until } from '../support/until.js';
import { CRD, Fixture } from './support/fixture.js';

jest.setTimeout(120_000);

const RBAC = join(CRD, '../../operator/rbac.yaml');
const SYSTEM = 'satellite-system';

describe('an operator with the rights of operator/rbac.yaml', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.open('rights');
    await fixture.cluster.try(['create', 'namespace', SYSTEM]);
    await fixture.cluster.kubectl(['apply', '-n', SYSTEM, '-f', RBAC]);
    const token = (await fixture.cluster.kubectl(['create', 'token', 'satellite-operator', '-n', SYSTEM])).trim();
    const kubeconfig = await fixture.cluster.kubeconfigAs(token, 'operator');
    await fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig, OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAMESPACE: SYSTEM }).works();
  });
  afterAll(() => fixture.close());

  it('leads, registers, tells events and lets go of deleted objects', async () => {
    await fixture.cluster.apply(fixture.app('modest'));
    await fixture.waitReady('modest');
    const events = async () => (await fixture.cluster.json<{ items: { reason: string }[] }>(['get', 'events.events.k8s.io', '-n', 'rights'])).items.map(({ reason }) => reason);
    await until(events, (reasons) => reasons.includes('Registered'));
    await fixture.cluster.kubectl(['delete', 'sat', 'modest', '-n', 'rights', '--timeout=20s']);
    expect(await fixture.platform.entry('modest')).toBeUndefined();
  });

  it.each([
    ['get', 'secrets'],
    ['create', 'satelliteapps.platform.satellite.io'],
    ['delete', 'satelliteapps.platform.satellite.io'],
    ['get', 'pods'],
    ['delete', 'leases.coordination.k8s.io'],
  ])('may not %s %s', async (verb, resource) => {
    const { stdout } = await fixture.cluster.try(['auth', 'can-i', verb, resource, '-n', SYSTEM, `--as=system:serviceaccount:${SYSTEM}:satellite-operator`]);
    expect(stdout.trim()).toBe('no');
  });
});

/** Namespace of the releases that the chart tests render. */
const RELEASE = 'trial';
const APPS = 'rights-apps';
const ELSEWHERE = 'rights-elsewhere';

describe('an operator with the rights that the chart gives it for one namespace', () => {
  let fixture: Fixture;
  let kubeconfig: string;

  beforeAll(async () => {
    fixture = await Fixture.open(APPS);
    for (const name of [RELEASE, ELSEWHERE]) await fixture.cluster.try(['create', 'namespace', name]);
    const objects = await render('operator', set('global.publicUrl=https://platform.test', 'global.secrets.existingSecret=platform', 'global.shell.url=http://shell', `watchNamespace=${APPS}`));
    const rights = objects.filter(({ kind, metadata }) => ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].includes(kind) && metadata.annotations?.['helm.sh/hook'] === undefined);
    await fixture.cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: rights }));
    const account = find(rights, 'ServiceAccount', 'trial-operator').metadata.name;
    kubeconfig = await fixture.cluster.kubeconfigAs((await fixture.cluster.kubectl(['create', 'token', account, '-n', RELEASE])).trim(), 'operator-of-one-namespace');
  });
  afterAll(async () => {
    await fixture.cluster.try(['delete', 'sat', '--all', '-n', ELSEWHERE]);
    await fixture.close();
  });

  const start = (environment: Readonly<Record<string, string>>) => fixture.startOperator({ OPERATOR_KUBECONFIG: kubeconfig, OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAMESPACE: RELEASE, OPERATOR_LEASE_NAME: 'trial-operator', ...environment });

  it('leads and does everything there, and touches nothing elsewhere', async () => {
    await fixture.cluster.apply([fixture.app('foreign', {}, ELSEWHERE), fixture.app('own')].join('\n'));
    await start({ OPERATOR_WATCH_NAMESPACE: APPS }).works();
    await fixture.waitReady('own');
    const events = async () => (await fixture.cluster.json<{ items: { reason: string }[] }>(['get', 'events.events.k8s.io', '-n', APPS])).items.map(({ reason }) => reason);
    await until(events, (reasons) => reasons.includes('Registered'));
    const { metadata, status } = await fixture.get('foreign', ELSEWHERE);
    expect([metadata.finalizers, status]).toEqual([undefined, { observedGeneration: -1 }]);
    expect(await fixture.platform.slugs()).toEqual(['own']);
    await fixture.cluster.kubectl(['delete', 'sat', 'own', '-n', APPS, '--timeout=30s']);
    expect(await fixture.platform.entry('own')).toBeUndefined();
  });

  it('is not ready, says why and is not restarted when it is told to look everywhere', async () => {
    const operator = start({ OPERATOR_LEASE_NAME: 'trial-operator', OPERATOR_LEADER_ELECTION: 'false' });
    const complaint = await operator.logged('listing again');
    expect(complaint['detail']).toContain('cannot list resource "satelliteapps"');
    const url = await operator.healthUrl();
    expect([(await fetch(`${url}/readyz`)).status, (await fetch(`${url}/livez`)).status]).toEqual([503, 200]);
  });

  it.each([
    ['list', 'satelliteapps.platform.satellite.io', ELSEWHERE],
    ['patch', 'satelliteapps.platform.satellite.io/status', ELSEWHERE],
    ['create', 'events.events.k8s.io', ELSEWHERE],
    ['create', 'events.events.k8s.io', RELEASE],
    ['create', 'leases.coordination.k8s.io', APPS],
    ['update', 'leases.coordination.k8s.io/another', RELEASE],
    ['get', 'secrets', APPS],
    ['get', 'secrets', RELEASE],
    ['delete', 'satelliteapps.platform.satellite.io', APPS],
    ['list', 'namespaces', ''],
  ])('may not %s %s in %s', async (verb, resource, namespace) => {
    const [type = '', subresource] = resource.split('/status');
    const where = namespace === '' ? [] : ['-n', namespace];
    const { stdout } = await fixture.cluster.try(['auth', 'can-i', verb, type, ...(subresource === undefined ? [] : ['--subresource=status']), ...where, `--as=system:serviceaccount:${RELEASE}:trial-operator`]);
    expect(stdout.trim()).toBe('no');
  });
});
