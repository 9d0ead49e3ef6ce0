import { join } from 'node:path';
import { until } from '../support/until.js';
import { CRD, Fixture } from './support/fixture.js';

jest.setTimeout(60_000);

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
