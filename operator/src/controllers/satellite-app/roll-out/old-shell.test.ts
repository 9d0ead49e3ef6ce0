import { ReconciledApp } from '../../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../../test/support/registry-double.js';
import { canary, everybodyHas, MINUTE, minimal, NEW, OLD, stable, underWay } from '../../../../test/support/roll-out-specs.js';

const WAVES = { mode: 'All', waves: [{ percent: 20, soak: '1m' }] };

let registry: RegistryDouble;
beforeEach(() => {
  registry = new RegistryDouble();
  registry.isBeforeRollOuts = true;
});
const upgrade = (): void => void (registry.isBeforeRollOuts = false);

describe('a Shell from before roll-outs', () => {
  it('is not given an app in waves, which it would give to everybody; the object says so and goes on after the upgrade', async () => {
    const app = new ReconciledApp(registry, 'drive', { ...minimal, organizations: WAVES });
    for (let n = 0; n < 3; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('ShellTooOld');
    expect([app.entry, registry.writes]).toEqual([undefined, 0]);
    expect(app.condition('Ready')).toMatchObject({ status: 'False', reason: 'ShellTooOld', message: expect.stringContaining('Upgrade the Shell and this goes on by itself; or remove spec.organizations.waves') });
    expect(app.condition('Registered')).toMatchObject({ status: 'False', reason: 'ShellTooOld' });
    expect(app.condition('Reconciling')?.status).toBe('True');
    upgrade();
    await app.reconcile(MINUTE);
    expect(app.entry).toMatchObject({ organizationPercent: 20, step: '20/-' });
  });

  it('gets it when the waves are taken away', async () => {
    const app = new ReconciledApp(registry, 'drive', { ...minimal, organizations: WAVES });
    await app.reconcile();
    app.change({ organizations: { mode: 'All' } });
    expect((await app.reconcile()).reason).toBeUndefined();
    expect([app.entry?.organizationPercent, app.condition('Ready')?.status]).toEqual([100, 'True']);
  });

  it('keeps the front-end that everybody has, and is given the first one of an app and whatever else is for all', async () => {
    const app = await stable(registry);
    expect(app.condition('Ready')?.status).toBe('True');
    app.change({ name: 'Files' });
    expect((await app.reconcile()).reason).toBeUndefined();
    app.change({ uiUrl: NEW, version: '2.0.0' });
    expect((await app.reconcile()).reason).toBe('ShellTooOld');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    expect([app.condition('Registered')?.status, app.condition('Ready')?.message]).toEqual(['True', expect.stringContaining('or remove spec.rollout')]);
  });

  it('lets no time count while nothing is rolled out', async () => {
    upgrade();
    const app = await underWay(registry);
    registry.isBeforeRollOuts = true;
    app.change({ name: 'Files' });
    expect((await app.reconcile(10_000)).reason).toBe('ShellTooOld');
    expect(app.status.rollout).toMatchObject({ phase: 'Paused', percent: 10 });
    expect(app.condition('RolledOut')).toMatchObject({ status: 'False', reason: 'Paused', message: expect.stringContaining('Upgrade the Shell') });
    await app.reconcile(10 * MINUTE);
    upgrade();
    await app.reconcile(MINUTE);
    expect(app.entry?.canary).toEqual(canary(10));
    await app.reconcile(MINUTE);
    expect(app.entry?.canary).toEqual(canary(50));
  });

  it('can be told that a front-end is taken back', async () => {
    upgrade();
    const app = await underWay(registry);
    registry.isBeforeRollOuts = true;
    app.down.add(NEW);
    const reasons = [];
    for (let n = 0; n < 3; n += 1) reasons.push((await app.reconcile(10_000)).reason);
    expect(reasons.at(-1)).toBe('RolledBack');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
  });

  it('is known in mode Plan too', async () => {
    const app = new ReconciledApp(registry, 'drive', { ...minimal, mode: 'Plan', organizations: WAVES });
    expect((await app.reconcile()).reason).toBe('ShellTooOld');
    expect(app.condition('Ready')?.message).toContain('mode Enforce would write nothing');
    expect(app.condition('Registered')?.reason).toBe('NotApplied');
    upgrade();
    expect((await app.reconcile()).reason).toBeUndefined();
    expect(app.condition('Ready')?.reason).toBe('Planned');
  });
});
