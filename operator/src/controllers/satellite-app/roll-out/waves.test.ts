import { ReconciledApp } from '../../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../../test/support/registry-double.js';
import { API, canary, MINUTE, minimal, NEW, OLD, ROLLOUT } from '../../../../test/support/roll-out-specs.js';

const WAVES = [{ percent: 20, soak: '1m' }, { percent: 60, soak: '1m' }];

let registry: RegistryDouble;
beforeEach(() => {
  registry = new RegistryDouble();
});

describe('an app in waves', () => {
  const inWaves = (over: Record<string, unknown> = {}) => new ReconciledApp(registry, 'drive', { ...minimal, uiUrl: OLD, version: '1.0.0', organizations: { mode: 'All', waves: WAVES }, ...over });

  it('comes to more and more organizations, and then to all', async () => {
    const app = inWaves();
    expect(await app.reconcile()).toEqual({ requeueAfterMs: MINUTE, urgent: true });
    expect(app.entry).toMatchObject({ organizationPercent: 20, step: '20/-' });
    expect(app.condition('Ready')).toMatchObject({ status: 'Unknown', reason: 'RollingOut', message: '20 % of the organizations have the app.' });
    await app.reconcile(MINUTE);
    expect(app.entry?.organizationPercent).toBe(60);
    await app.reconcile(MINUTE);
    expect([app.entry?.organizationPercent, app.condition('Ready')?.status, app.status.enablement]).toEqual([100, 'True', { phase: 'Completed', percent: 100 }]);
  });

  it('pauses while anything does not answer, and never gets smaller', async () => {
    const app = inWaves();
    app.down.add(API);
    expect((await app.reconcile()).reason).toBe('APIUnreachable');
    expect([app.entry, app.status.enablement]).toEqual([undefined, undefined]);
    app.down.clear();
    await app.reconcile();
    app.down.add(OLD);
    for (let n = 0; n < 10; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    expect([app.entry?.organizationPercent, app.status.enablement]).toEqual([20, { phase: 'Paused', percent: 20 }]);
    expect(app.counted).toEqual(['waves paused']);
    expect(app.condition('RolledOut')).toMatchObject({ status: 'False', reason: 'Paused' });
    app.down.clear();
    await app.reconcile();
    expect(app.entry?.organizationPercent).toBe(20);
    await app.reconcile(MINUTE);
    expect(app.entry?.organizationPercent).toBe(60);
  });

  it('is taken from nobody when waves come to an app that all have', async () => {
    const app = inWaves({ organizations: { mode: 'All' } });
    await app.reconcile();
    app.change({ organizations: { mode: 'All', waves: WAVES } });
    await app.reconcile();
    expect([app.entry?.organizationPercent, app.status.enablement]).toEqual([100, { phase: 'Completed', percent: 100 }]);
  });

  it('begins with the organizations that had it before, and keeps them', async () => {
    const app = inWaves({ organizations: { mode: 'Listed', slugs: ['acme'] } });
    await app.reconcile();
    expect(app.status.enablement).toBeUndefined();
    app.change({ organizations: { mode: 'All', slugs: ['acme'], waves: WAVES } });
    await app.reconcile();
    expect(registry.entries.get('drive')?.app).toMatchObject({ organizationPercent: 20, organizations: { all: true, slugs: ['acme'] } });
  });

  it('goes on at its share when the status is lost', async () => {
    const app = inWaves();
    await app.reconcile();
    await app.reconcile(MINUTE);
    app.forgetStatus();
    await app.reconcile();
    expect(app.entry?.organizationPercent).toBe(60);
  });

  it('is taken from nobody when a process died between registry and status and things go wrong after it', async () => {
    const app = inWaves();
    await app.reconcile();
    app.losesStatus = true;
    await app.reconcile(MINUTE);
    app.losesStatus = false;
    app.down.add(OLD);
    await app.reconcile();
    app.down.clear();
    await app.reconcile();
    expect([app.entry?.organizationPercent, app.status.enablement?.percent]).toEqual([60, 60]);
  });

  it('keeps its share against those who edit the entry', async () => {
    const app = inWaves();
    await app.reconcile();
    registry.edit('drive', (entry) => (entry.organizationPercent = 100));
    await app.reconcile(1000);
    expect([app.entry?.organizationPercent, app.condition('Drifted')?.reason]).toEqual([20, 'DriftCorrected']);
  });

  it('goes together with a new front-end, each at its own pace', async () => {
    const app = inWaves({ rollout: ROLLOUT });
    await app.reconcile();
    expect(app.entry).toMatchObject({ version: '1.0.0', organizationPercent: 20, step: '20/all' });
    app.change({ uiUrl: NEW, version: '2.0.0' });
    await app.reconcile(30_000);
    expect(app.entry).toMatchObject({ organizationPercent: 20, canary: canary(10) });
    await app.reconcile(30_000);
    expect(app.entry).toMatchObject({ organizationPercent: 60, canary: canary(10), step: '60/10' });
  });
});
