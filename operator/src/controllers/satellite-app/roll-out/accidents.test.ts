import { Code, ConnectError } from '@connectrpc/connect';
import { randomFrom } from '../../../../test/support/fault-schedule.js';
import { ReconciledApp } from '../../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../../test/support/registry-double.js';

const API = 'https://api.example.org';
const STEPS = [{ percent: 10, soak: '1m' }, { percent: 40, soak: '2m' }, { percent: 80, soak: '30s' }];
const WAVES = [{ percent: 20, soak: '2m' }, { percent: 60, soak: '5m' }];
const LOOKS = 200;
/** The seed of a failure, or some that are always the same and one that never was before. */
const SEEDS = process.env['FAULT_SEED'] === undefined ? [...Array.from({ length: 5 }, (_, index) => index + 1), Date.now() % 1_000_000] : [Number(process.env['FAULT_SEED'])];

/** One app, one registry, and everything that can happen to them in any order. */
class Accidents {
  readonly registry = new RegistryDouble();
  readonly app = new ReconciledApp(this.registry, 'drive', { slug: 'drive', name: 'Drive', type: 'satellite', apiUrl: API, ...frontEnd(1), organizations: { mode: 'All', waves: WAVES }, rollout: { steps: STEPS, failureThreshold: 2, probeInterval: '5s' } });
  version = 1;
  /** Versions that answered at least once while the object asked for them. */
  readonly good = new Set<string>();

  constructor(private readonly random: () => number) {}

  async look(): Promise<void> {
    const [what, which] = [this.random(), this.random()];
    if (what < 0.05) this.app.change(frontEnd(which < 0.6 || this.version === 1 ? ++this.version : this.version));
    else if (what < 0.08) this.app.change({ name: `Drive ${Math.floor(which * 1000)}` });
    else if (what < 0.1) this.app.change({ suspend: true });
    else if (what < 0.12) this.app.change({ mode: 'Plan' });
    else if (what < 0.13) this.app.forgetStatus();
    else if (what < 0.2) this.app.down.add(which < 0.2 ? API : urlOf(Math.max(1, this.version - Math.floor(which * 1.5))));
    this.recover();
    this.registry.outage = this.random() < 0.1 ? new ConnectError('down', Code.Unavailable) : undefined;
    this.app.losesStatus = this.random() < 0.1;
    await this.reconcile(Math.floor(this.random() * 60_000));
  }

  /** Troubles last for some looks each. */
  private recover(): void {
    for (const address of this.app.down) if (this.random() < 0.25) this.app.down.delete(address);
    if (this.app.spec.suspend && this.random() < 0.4) this.app.change({ suspend: false });
    if (this.app.spec.mode === 'Plan' && this.random() < 0.4) this.app.change({ mode: 'Enforce' });
  }

  async reconcile(afterMs: number): Promise<void> {
    const { spec } = this.app;
    if (!this.app.down.has(spec.uiUrl ?? '')) this.good.add(spec.version ?? '');
    await this.app.reconcile(afterMs);
  }

  /** Everything is well and asked for again. */
  calm(): void {
    this.app.down.clear();
    this.registry.outage = undefined;
    this.app.losesStatus = false;
    this.app.change({ suspend: false, mode: 'Enforce', ...frontEnd(++this.version) });
  }
}

const urlOf = (version: number): string => `https://ui.example.org/v${version}/`;
const frontEnd = (version: number) => ({ uiUrl: urlOf(version), version: `${version}.0.0` });
const rung = (percent: number): number => STEPS.findIndex((step) => step.percent === percent);

describe('a roll-out among accidents', () => {
  it.each(SEEDS)('gives nobody what was never good, takes the app from nobody, and arrives once they are over (FAULT_SEED=%i)', async (seed) => {
    const world = new Accidents(randomFrom(seed));
    const reached = new Map<string | undefined, number>();
    let before = world.app.entry;
    for (let look = 0; look < LOOKS; look += 1) {
      await world.look();
      const { entry, status } = world.app;
      if (entry) {
        expect(world.good).toContain(entry.version);
        expect(entry.organizationPercent).toBeGreaterThanOrEqual(before?.organizationPercent ?? 0);
        if (entry.canary) {
          expect(world.good).toContain(entry.canary.version);
          expect(entry.canary.version).not.toBe(entry.version);
          const to = rung(entry.canary.percent);
          expect(to).toBeLessThanOrEqual((reached.get(entry.canary.version) ?? -1) + 1);
          // Nobody is sent back without all of them being sent back, and what was taken back begins anew.
          if (before?.canary?.version === entry.canary.version) expect(to).toBeGreaterThanOrEqual(rung(before.canary.percent));
          else expect(to).toBe(0);
          reached.set(entry.canary.version, Math.max(to, reached.get(entry.canary.version) ?? -1));
        }
        if (status.rollout?.phase === 'RolledBack' && !world.app.losesStatus) expect(entry.canary).toBeUndefined();
      }
      before = entry;
    }
    world.calm();
    for (let look = 0; look < 20; look += 1) await world.reconcile(600_000);
    expect(world.app.entry).toEqual({ ...frontEnd(world.version), organizationPercent: 100, canary: undefined, step: '100/all' });
    expect([world.app.condition('Ready')?.status, world.app.condition('RolledOut')?.reason]).toEqual(['True', 'Completed']);
    const { writes } = world.registry;
    await world.reconcile(600_000);
    expect(world.registry.writes).toBe(writes);
  });
});
