import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SatelliteApp } from '../../src/controllers/satellite-app/satellite-app.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { SatelliteServer } from '../support/satellite-server.js';
import { until } from '../support/until.js';
import { Fixture, SAMPLES } from './support/fixture.js';
import type { OperatorProcess } from './support/operator-process.js';

jest.setTimeout(120_000);

const NAMESPACE = 'rollout';
/** A soak that no test waits for: what is there then stays. */
const FOR_EVER = '720h';
const LIMIT_MS = 60_000;

describe('a roll-out in a cluster', () => {
  let fixture: Fixture;
  /** Serves the new front-ends; the fixture's own satellite serves the old one and the API. */
  let newer: SatelliteServer;
  let operator: OperatorProcess;

  beforeAll(async () => {
    fixture = await Fixture.open(NAMESPACE);
    newer = await new SatelliteServer().listen();
    operator = await start();
  });
  afterAll(async () => {
    await fixture.close();
    await newer.close();
  });

  async function start(): Promise<OperatorProcess> {
    const started = fixture.startOperator({ OPERATOR_OUTBOUND_ALLOW: `${fixture.satellite.host},${newer.host}` });
    await started.works();
    return started;
  }
  const rollout = (...steps: readonly (readonly [number, string])[]) => ({ steps: steps.map(([percent, soak]) => ({ percent, soak })), failureThreshold: 3, probeInterval: '1s' });
  const second = (over: Record<string, unknown>) => ({ uiUrl: newer.uiUrl, version: '2.0.0', ...over });
  const apply = (name: string, spec: Record<string, unknown>) => fixture.cluster.apply(fixture.app(name, { interval: '10s', ...spec }));
  const condition = ({ status }: SatelliteApp, type: string) => status?.conditions?.find((one) => one.type === type);
  const until1 = (name: string, holds: (app: SatelliteApp) => boolean, what: string) => until(() => fixture.get(name), holds, { limitMs: LIMIT_MS, what: `${name} ${what}` });
  const untilRolledOut = (name: string, reason: string) => until1(name, (app) => app.status?.observedGeneration === app.metadata.generation && condition(app, 'RolledOut')?.reason === reason, `RolledOut says ${reason}`);
  const untilPercent = (name: string, percent: number) => until1(name, ({ status }) => status?.rollout?.percent === percent && status.rollout.phase === 'Progressing', `is at ${percent} %`);
  const entryOf = (slug: string) => fixture.platform.adminApp(slug);
  const notes = async (name: string, reason: string): Promise<string[]> => {
    const { items } = await fixture.cluster.json<{ items: { reason: string; note: string; regarding: { name: string } }[] }>(['get', 'events.events.k8s.io', '-n', NAMESPACE]);
    return items.filter((event) => event.regarding.name === name && event.reason === reason).map(({ note }) => note);
  };
  const sample = async (file: string): Promise<void> => {
    const text = (await readFile(join(SAMPLES, 'rolling-out', file), 'utf8')).replace('/notes/api', fixture.satellite.apiUrl).replace('/notes/ui', newer.uiUrl);
    await fixture.cluster.kubectl(['apply', '-n', NAMESPACE, '-f', '-'], text);
  };
  /** A front-end that half of the organizations have, until something happens to it. */
  async function halfWay(name: string): Promise<void> {
    await apply(name, { rollout: rollout([10, '1s'], [50, FOR_EVER]) });
    await fixture.waitReady(name, LIMIT_MS);
    await apply(name, second({ rollout: rollout([10, '1s'], [50, FOR_EVER]) }));
    await untilPercent(name, 50);
  }

  it('brings an app to its organizations wave by wave; Ready waits for the last', async () => {
    await apply('wave', { organizations: { mode: 'All', waves: [{ percent: 20, soak: '1s' }, { percent: 60, soak: '1s' }] } });
    await fixture.waitReady('wave', LIMIT_MS);
    expect(await entryOf('wave')).toMatchObject({ organizationPercent: 100 });
    expect((await fixture.get('wave')).status).toMatchObject({ enablement: { phase: 'Completed', percent: 100 } });
    await until(() => notes('wave', 'RollOutStep'), (found) => [20, 60].every((percent) => found.some((note) => note.startsWith(`${percent} % of the organizations have the app`))), { limitMs: LIMIT_MS, what: 'events of both waves' });
    expect(await fixture.platform.launchpad()).toEqual(expect.arrayContaining([expect.objectContaining({ slug: 'wave' })]));
  });

  it('keeps an app in its wave out of the launchpad of nobody', async () => {
    await apply('held', { organizations: { mode: 'All', waves: [{ percent: 1, soak: FOR_EVER }] } });
    await until1('held', ({ status }) => status?.enablement?.phase === 'Progressing', 'is in its wave');
    expect(await entryOf('held')).toMatchObject({ organizationPercent: 1 });
    expect((await fixture.platform.launchpad()).map(({ slug }) => slug)).not.toContain('held');
  });

  it('gives a new front-end to a share, and says so everywhere', async () => {
    await halfWay('front');
    expect(await entryOf('front')).toMatchObject({ version: '1.0.0', uiUrl: fixture.satellite.uiUrl, uiCanary: { version: '2.0.0', uiUrl: newer.uiUrl, percent: 50 } });
    expect(await fixture.platform.launchpad()).toEqual(expect.arrayContaining([expect.objectContaining({ slug: 'front', version: '1.0.0' })]));
    const app = await fixture.get('front');
    expect([condition(app, 'Ready'), condition(app, 'Reconciling'), condition(app, 'RolledOut')]).toMatchObject([{ status: 'Unknown', reason: 'RollingOut' }, { status: 'True' }, { status: 'Unknown', reason: 'Progressing' }]);
    expect(app.status?.rollout).toMatchObject({ stable: { version: '1.0.0' }, candidate: { version: '2.0.0', generation: app.metadata.generation } });
    const [head, row] = (await fixture.cluster.kubectl(['get', 'sat', 'front', '-n', NAMESPACE, '-o', 'wide'])).split('\n');
    expect(head).toMatch(/ORGANIZATIONS +ROLLOUT +CANARY/);
    expect(row).toMatch(/ Progressing +50 /);
    expect((await fixture.cluster.try(['wait', '--for=condition=Ready', 'sat/front', '-n', NAMESPACE, '--timeout=1s'])).code).not.toBe(0);
  });

  it('goes on where it was when its operator is killed, without a write', async () => {
    const before = (await fixture.get('front')).status?.rollout;
    const writes = await fixture.platform.writes();
    await operator.end('SIGKILL');
    operator = await start();
    await fixture.cluster.kubectl(['annotate', 'sat', 'front', '-n', NAMESPACE, 'platform.satellite.io/reconcile-requested-at=after-the-kill', '--overwrite']);
    const { status } = await until1('front', ({ status: now }) => now?.lastHandledReconcileAt === 'after-the-kill', 'is looked at');
    expect(status?.rollout).toEqual(before);
    expect(await fixture.platform.writes()).toBe(writes);
  });

  it('pauses, and takes the front-end back from all, when its server fails; and stays so until the object changes', async () => {
    newer.ui = 'not-found';
    await untilRolledOut('front', 'RolledBack');
    expect(await entryOf('front')).toMatchObject({ version: '1.0.0', uiUrl: fixture.satellite.uiUrl, uiCanary: null });
    const { status } = await fixture.waitReason('front', 'RolledBack');
    expect(status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({ status: 'True', message: expect.stringContaining('apply a new generation') });
    expect(status?.rollout).toMatchObject({ phase: 'RolledBack', failures: 3, stable: { version: '1.0.0' } });
    await until(async () => [await notes('front', 'RollOutPaused'), await notes('front', 'RolledBack')], (found) => found.every(({ length }) => length > 0), { limitMs: LIMIT_MS, what: 'events of pause and rollback' });
    newer.ui = 'ok';
    await fixture.cluster.kubectl(['annotate', 'sat', 'front', '-n', NAMESPACE, 'platform.satellite.io/reconcile-requested-at=it-is-well-again', '--overwrite']);
    const still = await until1('front', ({ status: now }) => now?.lastHandledReconcileAt === 'it-is-well-again', 'is looked at');
    expect(condition(still, 'RolledOut')).toMatchObject({ status: 'False', reason: 'RolledBack' });
  });

  it('begins anew with the next generation, also across the end of an operator, and is everybody\'s in the end', async () => {
    await apply('front', second({ version: '2.0.1', rollout: rollout([10, '1s'], [100, '3s']) }));
    await until1('front', ({ status }) => status?.rollout?.candidate?.version === '2.0.1' && status.rollout.phase === 'Progressing', 'is under way');
    await operator.end('SIGTERM');
    operator = await start();
    await fixture.waitReady('front', LIMIT_MS);
    expect(await entryOf('front')).toMatchObject({ version: '2.0.1', uiUrl: newer.uiUrl, uiCanary: null });
    expect((await fixture.get('front')).status).toMatchObject({ version: '2.0.1', rollout: { phase: 'Completed', stable: { version: '2.0.1' } } });
    expect(await fixture.platform.launchpad()).toEqual(expect.arrayContaining([expect.objectContaining({ slug: 'front', version: '2.0.1' })]));
  });

  it('stands still while it is suspended, and its object can go in the middle', async () => {
    await halfWay('halted');
    await fixture.cluster.kubectl(['patch', 'sat', 'halted', '-n', NAMESPACE, '--type=merge', '-p', '{"spec":{"suspend":true}}']);
    const { status } = await fixture.waitReason('halted', 'Suspended');
    expect(status?.rollout).toMatchObject({ phase: 'Paused', percent: 50 });
    expect(status?.rollout?.since).toBeUndefined();
    await fixture.cluster.kubectl(['delete', 'sat', 'halted', '-n', NAMESPACE, '--timeout=20s']);
    expect(await fixture.platform.entry('halted')).toBeUndefined();
  });

  it('plans a roll-out without beginning it', async () => {
    await apply('planned', { rollout: rollout([10, FOR_EVER]) });
    await fixture.waitReady('planned', LIMIT_MS);
    const writes = await fixture.platform.writes();
    await apply('planned', second({ mode: 'Plan', rollout: rollout([10, FOR_EVER]) }));
    const app = await untilRolledOut('planned', 'Planned');
    expect(app.status?.differences?.map(({ field }) => field)).toEqual(['uiCanary']);
    expect(await fixture.platform.writes()).toBe(writes);
  });

  it('says of the samples what they are for', async () => {
    await sample('1-stable.yaml');
    await fixture.waitReady('canary', LIMIT_MS);
    await untilRolledOut('canary', 'Completed');
    await sample('2-paused.yaml');
    expect(condition(await untilRolledOut('canary', 'Paused'), 'Ready')).toMatchObject({ status: 'False', reason: 'UIUnreachable' });
    await sample('3-progressing-or-rolled-back.yaml');
    expect((await untilRolledOut('canary', 'Progressing')).status?.rollout).toMatchObject({ percent: 10 });
    newer.ui = 'not-found';
    await untilRolledOut('canary', 'Paused');
    await untilRolledOut('canary', 'RolledBack');
    newer.ui = 'ok';
    await sample('waves.yaml');
    expect((await untilRolledOut('waves', 'Progressing')).status?.enablement).toMatchObject({ percent: 10 });
  });

  it('is not begun with a Shell from before roll-outs, which would give the app to everybody, and begins with its upgrade', async () => {
    const proxy = new FaultProxy(fixture.platform.shellUrl);
    let isOld = true;
    proxy.fault = (request) => {
      // To the real Shell it is a call that it does not know, and it answers as one from before would.
      if (isOld) request.url = request.url?.replace('/RollOutApp', '/CallOfTomorrow');
      return undefined;
    };
    await fixture.endOperators();
    await fixture.startOperator({ OPERATOR_SHELL_URL: await proxy.listen() }).works();
    await apply('too-early', { organizations: { mode: 'All', waves: [{ percent: 10, soak: FOR_EVER }] } });
    const held = await fixture.waitReason('too-early', 'ShellTooOld');
    expect(condition(held, 'Ready')?.message).toContain('Upgrade the Shell');
    expect(condition(held, 'Registered')).toMatchObject({ status: 'False', reason: 'ShellTooOld' });
    expect(await entryOf('too-early')).toBeUndefined();
    isOld = false;
    await until1('too-early', ({ status }) => status?.enablement?.percent === 10, 'is at 10 %');
    expect(await entryOf('too-early')).toMatchObject({ organizationPercent: 10 });
    await fixture.endOperators();
    await proxy.close();
  });
});
