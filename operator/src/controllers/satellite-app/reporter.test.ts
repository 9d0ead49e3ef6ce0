import { ReconciledApp } from '../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../test/support/registry-double.js';
import { API, MINUTE, minimal } from '../../../test/support/roll-out-specs.js';

let registry: RegistryDouble;
beforeEach(() => {
  registry = new RegistryDouble();
});
const reported = () => registry.reports.get('drive');
const reports = (): number => registry.calls.filter(({ method }) => method === 'ReportApp').length;

/** An app that everybody sees as degraded. */
async function degraded(): Promise<ReconciledApp> {
  const app = new ReconciledApp(registry, 'drive', minimal);
  await app.reconcile();
  app.down.add(API);
  for (let n = 0; n < 3; n += 1) await app.reconcile(MINUTE);
  expect([reported()?.degraded, app.condition('Degraded')?.status]).toEqual([true, 'True']);
  return app;
}

describe('what the Shell is told of an app', () => {
  it('is nothing in mode Plan when the app was never registered', async () => {
    const app = new ReconciledApp(registry, 'drive', { ...minimal, mode: 'Plan' });
    for (let n = 0; n < 3; n += 1) await app.reconcile(MINUTE);
    expect(reports()).toBe(0);
  });

  it('ends once with mode Plan: nobody sees for ever what was found before', async () => {
    const app = await degraded();
    app.change({ mode: 'Plan' });
    await app.reconcile(MINUTE);
    expect(reported()).toMatchObject({ degraded: false, observedGeneration: 1n, conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Planned', message: expect.stringContaining('tells nothing more') }] });
    expect(app.status.health?.degraded).toBe(true);
    const told = reported();
    app.down.clear();
    await app.reconcile(MINUTE);
    const before = reports();
    app.change({ name: 'Files' });
    for (let n = 0; n < 3; n += 1) await app.reconcile(MINUTE);
    expect([reports(), reported()]).toEqual([before, told]);
  });

  it('goes on with mode Enforce, where it is still degraded until it has been well twice', async () => {
    const app = await degraded();
    app.change({ mode: 'Plan' });
    await app.reconcile(MINUTE);
    app.change({ mode: 'Enforce' });
    await app.reconcile(MINUTE);
    expect(reported()?.degraded).toBe(true);
    app.down.clear();
    for (let n = 0; n < 2; n += 1) await app.reconcile(MINUTE);
    expect(reported()).toMatchObject({ degraded: false, observedGeneration: 3n });
  });

  it('goes on in mode Observe, which looks after what it finds', async () => {
    const app = await degraded();
    app.change({ mode: 'Observe' });
    await app.reconcile(MINUTE);
    expect(reported()?.degraded).toBe(true);
  });

  it('is not degraded while the app is suspended; three failures later it is again', async () => {
    const app = await degraded();
    app.change({ suspend: true });
    await app.reconcile(MINUTE);
    expect([reported()?.degraded, app.condition('Degraded'), app.status.health?.degraded]).toEqual([false, undefined, false]);
    const { statusWrites } = app;
    await app.reconcile(MINUTE);
    expect(app.statusWrites).toBe(statusWrites);
    app.change({ suspend: false });
    for (const failures of [1, 2]) {
      await app.reconcile(MINUTE);
      expect([reported()?.degraded, app.status.health?.failures]).toEqual([false, failures]);
    }
    await app.reconcile(MINUTE);
    expect(reported()?.degraded).toBe(true);
  });

  it('is no longer asked of an entry that somebody took away', async () => {
    const app = await degraded();
    registry.entries.delete('drive');
    app.change({ mode: 'Plan' });
    expect((await app.reconcile(MINUTE)).reason).toBe('APIUnreachable');
    app.down.clear();
    await app.reconcile(MINUTE);
    const before = reports();
    await app.reconcile(MINUTE);
    expect([app.condition('Registered')?.reason, reports()]).toEqual(['NotApplied', before]);
  });
});
