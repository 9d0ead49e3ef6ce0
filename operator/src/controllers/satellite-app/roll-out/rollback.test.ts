import { Code, ConnectError } from '@connectrpc/connect';
import { RegistryDouble } from '../../../../test/support/registry-double.js';
import { API, canary, everybodyHas, MINUTE, NEW, OLD, stable, THIRD, underWay } from '../../../../test/support/roll-out-specs.js';

let registry: RegistryDouble;
beforeEach(() => {
  registry = new RegistryDouble();
});

describe('a new front-end that fails, or whose operator does', () => {
  it('is taken back from all when it fails three times in a row, and stays back until the object changes', async () => {
    const app = await underWay(registry);
    app.down.add(NEW);
    expect([(await app.reconcile(10_000)).reason, (await app.reconcile(10_000)).reason, (await app.reconcile(10_000)).reason]).toEqual(['UIUnreachable', 'UIUnreachable', 'RolledBack']);
    expect(app.entry).toEqual({ uiUrl: OLD, version: '1.0.0', organizationPercent: 100, canary: undefined, step: '100/back' });
    expect(app.counted).toEqual(['front-end paused', 'rolled back']);
    expect(app.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RolledBack' });
    expect(app.condition('RolledOut')).toMatchObject({ status: 'False', reason: 'RolledBack', message: expect.stringContaining('apply a new generation') });
    expect(app.events.filter(({ reason }) => reason === 'RolledBack').map(({ type }) => type)).toContain('Warning');
    app.down.clear();
    for (let n = 0; n < 3; n += 1) expect((await app.reconcile(10 * MINUTE)).reason).toBe('RolledBack');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    app.change({ version: '2.0.1' });
    await app.reconcile();
    expect(app.entry).toMatchObject({ version: '1.0.0', canary: { version: '2.0.1', percent: 10 } });
  });

  it('is taken back although the API is away too, and the stable one as well', async () => {
    const app = await underWay(registry);
    for (const address of [API, NEW, OLD]) app.down.add(address);
    for (let n = 0; n < 3; n += 1) await app.reconcile(10_000);
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    expect((await app.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    expect(app.condition('RolledOut')?.reason).toBe('RolledBack');
  });

  it('is taken back in the end when the registry was away at that moment', async () => {
    const app = await underWay(registry);
    app.down.add(NEW);
    for (let n = 0; n < 2; n += 1) await app.reconcile(10_000);
    registry.outage = new ConnectError('down', Code.Unavailable);
    for (let n = 0; n < 3; n += 1) expect((await app.reconcile(10_000)).reason).toBe('RegistryUnavailable');
    registry.outage = undefined;
    expect((await app.reconcile(10_000)).reason).toBe('RolledBack');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
  });

  it('gets the time of a step that the registry could not be told', async () => {
    const app = await underWay(registry);
    registry.outage = new ConnectError('down', Code.Unavailable);
    expect((await app.reconcile(MINUTE)).reason).toBe('RegistryUnavailable');
    registry.outage = undefined;
    await app.reconcile(10 * MINUTE);
    expect(app.entry?.canary?.percent).toBe(50);
  });

  it('does the same again when the process died between registry and status', async () => {
    const app = await stable(registry);
    app.change({ uiUrl: NEW, version: '2.0.0' });
    for (const [ms, percent] of [[0, 10], [MINUTE, 50]] as const) {
      app.losesStatus = true;
      await app.reconcile(ms);
      app.losesStatus = false;
      const { writes } = registry;
      await app.reconcile();
      expect([app.entry?.canary?.percent, registry.writes]).toEqual([percent, writes]);
    }
    expect(app.condition('Drifted')?.reason).toBe('InSync');
  });

  it('is taken back although nobody could write down that it had begun', async () => {
    const app = await stable(registry);
    app.change({ uiUrl: NEW, version: '2.0.0' });
    app.losesStatus = true;
    await app.reconcile();
    app.losesStatus = false;
    app.down.add(NEW);
    for (let n = 0; n < 3; n += 1) await app.reconcile(10_000);
    expect([app.entry, app.status.rollout?.phase]).toEqual([everybodyHas(OLD, '1.0.0'), 'RolledBack']);
  });

  it('stays back although nobody could write down that it was taken back', async () => {
    const app = await underWay(registry);
    app.down.add(NEW);
    for (let n = 0; n < 2; n += 1) await app.reconcile(10_000);
    app.losesStatus = true;
    await app.reconcile(10_000);
    app.losesStatus = false;
    app.down.clear();
    for (let n = 0; n < 3; n += 1) expect((await app.reconcile(10_000)).reason).toBe('RolledBack');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    expect(app.status.rollout).toMatchObject({ phase: 'RolledBack', failures: 3, candidate: { version: '2.0.0' } });
  });

  it('is everybody\'s although nobody could write down that it had arrived, and fails only then', async () => {
    const app = await underWay(registry);
    await app.reconcile(MINUTE);
    app.losesStatus = true;
    await app.reconcile(5 * MINUTE);
    app.losesStatus = false;
    app.down.add(NEW);
    for (let n = 0; n < 5; n += 1) expect((await app.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    expect(app.entry).toEqual(everybodyHas(NEW, '2.0.0'));
  });

  it('goes on where the registry says it was when the status is lost, and keeps what was stable', async () => {
    const app = await underWay(registry);
    await app.reconcile(MINUTE);
    app.forgetStatus();
    await app.reconcile();
    expect(app.entry).toMatchObject({ uiUrl: OLD, canary: canary(50) });
    expect(app.status.rollout).toMatchObject({ phase: 'Progressing', percent: 50, stable: { uiUrl: OLD, version: '1.0.0' } });
  });

  it('makes room for a third at once: who had it goes back until the third is good', async () => {
    const app = await underWay(registry);
    app.change({ uiUrl: THIRD, version: '3.0.0' });
    app.down.add(THIRD);
    expect((await app.reconcile()).reason).toBe('UIUnreachable');
    expect(app.entry).toEqual(everybodyHas(OLD, '1.0.0'));
    app.down.clear();
    await app.reconcile();
    expect(app.entry).toMatchObject({ uiUrl: OLD, canary: { version: '3.0.0', percent: 10 } });
  });
});
