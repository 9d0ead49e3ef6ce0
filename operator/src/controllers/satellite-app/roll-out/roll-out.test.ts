import { ReconciledApp } from '../../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../../test/support/registry-double.js';
import { API, canary, everybodyHas, MINUTE, minimal, NEW, OLD, ROLLOUT, stable, underWay } from '../../../../test/support/roll-out-specs.js';

let registry: RegistryDouble;
beforeEach(() => {
  registry = new RegistryDouble();
});

describe('a reconcile of an app without roll-outs', () => {
  it('says nothing of them, and gives everybody the new version at once', async () => {
    const app = await stable(registry, { rollout: undefined });
    app.change({ uiUrl: NEW, version: '2.0.0' });
    expect(await app.reconcile()).toEqual({ requeueAfterMs: 10 * MINUTE });
    expect(app.entry).toEqual({ uiUrl: NEW, version: '2.0.0', organizationPercent: 100, canary: undefined, step: '' });
    expect([app.status.rollout, app.status.enablement, app.condition('RolledOut')]).toEqual([undefined, undefined, undefined]);
    expect(registry.calls.every(({ method }) => method !== 'ListApps')).toBe(true);
  });

  it('keeps the good version when the probe of the new one fails', async () => {
    const app = await stable(registry, { rollout: undefined });
    app.change({ uiUrl: NEW, version: '2.0.0' });
    app.down.add(NEW);
    for (let n = 0; n < 5; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
  });
});

describe('a new front-end with steps', () => {
  it('is not registered before its first probe is good; nobody loses anything meanwhile', async () => {
    const app = await stable(registry);
    app.change({ uiUrl: NEW, version: '2.0.0' });
    app.down.add(NEW);
    for (let n = 0; n < 10; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 0, stable: { version: '1.0.0' }, candidate: { version: '2.0.0' } });
    expect(app.condition('RolledOut')).toMatchObject({ status: 'False', reason: 'Paused', message: expect.stringContaining('Nobody gets version 2.0.0 before its probes are good') });
  });

  it('goes step by step to all; Ready is Unknown and Reconciling until then', async () => {
    const app = await underWay(registry);
    expect(app.entry).toMatchObject({ uiUrl: OLD, version: '1.0.0', canary: canary(10), step: '100/10' });
    expect(app.condition('Ready')).toMatchObject({ status: 'Unknown', reason: 'RollingOut', message: '10 % of the organizations get version 2.0.0, the others version 1.0.0.' });
    expect(app.condition('Reconciling')).toMatchObject({ status: 'True', reason: 'RollingOut' });
    expect(app.condition('RolledOut')).toMatchObject({ status: 'Unknown', reason: 'Progressing' });
    expect(app.status.version).toBe('1.0.0');
    expect(await app.reconcile(MINUTE - 4000)).toEqual({ requeueAfterMs: 4000, urgent: true });
    expect(app.entry?.canary?.percent).toBe(10);
    expect(await app.reconcile(4000)).toEqual({ requeueAfterMs: 10_000, urgent: true });
    expect(app.entry).toMatchObject({ canary: canary(50), step: '100/50' });
    expect(await app.reconcile(5 * MINUTE)).toEqual({ requeueAfterMs: 10 * MINUTE });
    expect(app.entry).toEqual({ uiUrl: NEW, version: '2.0.0', organizationPercent: 100, canary: undefined, step: '100/all' });
    expect(app.status.rollout).toMatchObject({ phase: 'Completed', stable: { uiUrl: NEW, version: '2.0.0', metadata: { theme: 'new' }, uiDigest: expect.stringContaining('sha256:') } });
    expect([app.condition('Ready')?.status, app.condition('Reconciling'), app.condition('RolledOut')?.reason, app.condition('Drifted')?.reason]).toEqual(['True', undefined, 'Completed', 'InSync']);
    expect(app.events.filter(({ action }) => action === 'RollOut').map(({ reason }) => reason)).toEqual(['RollOutStep', 'RollOutStep', 'RolledOut']);
  });

  it('writes neither registry nor status when nothing changes', async () => {
    const app = await underWay(registry);
    const before = [registry.writes, app.statusWrites];
    for (let n = 0; n < 5; n += 1) await app.reconcile(1000);
    expect([registry.writes, app.statusWrites]).toEqual(before);
  });

  it('pauses when it fails, and soaks anew when it is good again', async () => {
    const app = await underWay(registry);
    app.down.add(NEW);
    expect(await app.reconcile(50_000)).toEqual({ reason: 'UIUnreachable', retryAfterMs: 10_000 });
    expect(app.condition('RolledOut')).toMatchObject({ status: 'False', reason: 'Paused' });
    expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 10, failures: 1 });
    expect(app.status.rollout?.since).toBeUndefined();
    app.down.clear();
    expect(await app.reconcile(MINUTE)).toEqual({ requeueAfterMs: 10_000, urgent: true });
    await app.reconcile(MINUTE - 1000);
    expect(app.entry?.canary?.percent).toBe(10);
    await app.reconcile(1000);
    expect(app.entry?.canary?.percent).toBe(50);
  });

  it('pauses without being blamed when it is the API that fails', async () => {
    const app = await underWay(registry);
    app.down.add(API);
    for (let n = 0; n < 10; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('APIUnreachable');
    expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 10 });
    expect(app.entry?.canary?.percent).toBe(10);
  });

  it('pauses while the API breaks its users', async () => {
    const files = { openapi: '3.0.0', paths: { '/files': { get: { responses: { 200: { description: 'Files' } } } } } };
    const app = await stable(registry);
    app.openapi = files;
    await app.reconcile(MINUTE);
    app.change({ uiUrl: NEW, version: '1.1.0' });
    await app.reconcile(MINUTE);
    expect(app.entry?.canary?.percent).toBe(10);
    app.openapi = { ...files, paths: {} };
    for (let n = 0; n < 5; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('APIIncompatible');
    expect([app.entry?.canary?.percent, app.status.rollout?.phase]).toEqual([10, 'Paused']);
    app.openapi = files;
    await app.reconcile();
    await app.reconcile(MINUTE);
    expect(app.entry?.canary?.percent).toBe(50);
  });

  it('makes nobody see the app as degraded while only its new front-end fails', async () => {
    const app = await underWay(registry, { rollout: { ...ROLLOUT, failureThreshold: 100 } });
    app.down.add(NEW);
    for (let n = 0; n < 10; n += 1) await app.reconcile(MINUTE);
    expect([app.status.rollout?.failures, app.status.health?.degraded, app.condition('Degraded')]).toEqual([10, false, undefined]);
    app.down.add(API);
    for (let n = 0; n < 10; n += 1) await app.reconcile(MINUTE);
    expect(app.status.health?.degraded).toBe(true);
  });

  it('is rolled out although its steps came only with it', async () => {
    const app = await stable(registry, { rollout: undefined });
    app.change({ uiUrl: NEW, version: '2.0.0', rollout: ROLLOUT });
    await app.reconcile();
    expect(app.entry).toMatchObject({ uiUrl: OLD, version: '1.0.0', canary: canary(10) });
  });

  it('is everybody\'s when its steps are taken away, and nobody\'s when the object goes back', async () => {
    const [one, other] = [await underWay(registry), new ReconciledApp(registry, 'notes', { ...minimal, slug: 'notes', uiUrl: OLD, version: '1.0.0', rollout: ROLLOUT })];
    one.change({ rollout: undefined });
    await one.reconcile();
    expect(one.entry).toEqual(everybodyHas(NEW, '2.0.0'));
    await other.reconcile();
    other.change({ uiUrl: NEW, version: '2.0.0' });
    await other.reconcile();
    other.down.add('https://ui.example.org');
    other.change({ uiUrl: OLD, version: '1.0.0' });
    expect((await other.reconcile()).reason).toBe('UIUnreachable');
    expect(other.entry).toEqual(everybodyHas(OLD, '1.0.0'));
  });

  it('leaves everything else of the object to all at once', async () => {
    const app = await underWay(registry);
    app.change({ name: 'Files', apiUrl: `${API}/v2` });
    await app.reconcile(30_000);
    expect(registry.entries.get('drive')?.app).toMatchObject({ name: 'Files', apiUrl: `${API}/v2`, uiUrl: OLD });
    await app.reconcile(30_000);
    expect(app.entry?.canary?.percent).toBe(50);
  });

  it('is drift when somebody else touches it, and set back', async () => {
    const app = await underWay(registry);
    registry.edit('drive', (entry) => (entry.uiCanary = undefined));
    await app.reconcile(1000);
    expect(app.entry?.canary).toEqual(canary(10));
    expect([app.condition('Drifted')?.reason, app.status.differences?.map(({ field }) => field)]).toEqual(['DriftCorrected', ['uiCanary']]);
  });

  it('stands still while the object is suspended, planned or in maintenance', async () => {
    for (const change of [{ suspend: true }, { mode: 'Plan' }, { mode: 'Observe' }]) {
      registry = new RegistryDouble();
      const app = await underWay(registry);
      app.change(change);
      await app.reconcile(1000);
      expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 10 });
      const { writes } = registry;
      await app.reconcile(100 * MINUTE);
      expect(registry.writes).toBe(writes);
      app.change({ suspend: false, mode: 'Enforce' });
      await app.reconcile();
      expect(app.entry?.canary?.percent).toBe(10);
      await app.reconcile(MINUTE);
      expect(app.entry?.canary?.percent).toBe(50);
    }
  });

  it('is not blamed for what does not answer in maintenance', async () => {
    const app = await underWay(registry);
    app.change({ status: 'maintenance' });
    app.down.add(NEW);
    for (let n = 0; n < 5; n += 1) await app.reconcile(10 * MINUTE);
    expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 10 });
    expect(app.entry?.canary?.percent).toBe(10);
  });

  it('is planned: the status says what mode Enforce would do', async () => {
    const app = await stable(registry);
    app.change({ uiUrl: NEW, version: '2.0.0', mode: 'Plan' });
    await app.reconcile();
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    expect(app.status.differences?.map(({ field }) => field)).toEqual(['uiCanary']);
    expect(app.condition('RolledOut')).toMatchObject({ status: 'Unknown', reason: 'Planned', message: expect.stringContaining('10 % of the organizations get version 2.0.0') });
    expect(app.status.rollout).toMatchObject({ phase: 'Completed', stable: { version: '1.0.0' } });
  });
});
