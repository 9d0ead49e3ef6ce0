import { nextCanary, type Verdict } from './canary.js';
import { nextEnablement } from './enablement.js';
import type { FrontEnd, RollOutRules, RollOutStatus } from './front-end.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const RULES: RollOutRules = { steps: [{ percent: 10, soak: '1m' }, { percent: 50, soak: '1m' }], failureThreshold: 3, probeInterval: '10s' };
const OLD: FrontEnd = { uiUrl: '/old', version: '1', generation: 1, metadata: { theme: 'old' } };
const NEW: FrontEnd = { uiUrl: '/new', version: '2', generation: 2 };
const named = ({ uiUrl, version, generation }: FrontEnd) => ({ uiUrl, version, generation });
const look = (before: RollOutStatus | undefined, verdict: Verdict, ms = 0, candidate = NEW) => nextCanary({ rules: RULES, before, candidate, verdict, nowMs: START + ms });
const STABLE: RollOutStatus = { phase: 'Completed', stable: OLD };
const AT_10: RollOutStatus = { phase: 'Progressing', percent: 10, since: at(0), stable: OLD, candidate: named(NEW) };

describe('a new front-end', () => {
  it('is everybody\'s at once when there is nothing to keep, or it is no other one', () => {
    expect(look(undefined, 'good').status).toEqual({ phase: 'Completed', stable: NEW });
    expect(look({ phase: 'Completed', stable: { version: '1', generation: 1 } }, 'good').status).toEqual({ phase: 'Completed', stable: NEW });
    expect(look(STABLE, 'good', 0, { version: '2', generation: 2 }).status).toEqual({ phase: 'Completed', stable: { version: '2', generation: 2 } });
    const renamed = { ...OLD, generation: 2, metadata: { theme: 'dark' } };
    expect(look(STABLE, 'good', 0, renamed).status).toEqual({ phase: 'Completed', stable: renamed });
  });

  it.each<Verdict>(['failing', 'unknown'])('goes to nobody while it is %s before it began, for as long as it takes', (verdict) => {
    let status: RollOutStatus | undefined = STABLE;
    for (let n = 0; n < 10; n += 1) status = look(status, verdict).status;
    expect(status).toEqual({ phase: 'Paused', percent: 0, stable: OLD, candidate: named(NEW) });
    expect(look(status, 'good').status).toEqual(AT_10);
  });

  it('goes step by step, and is stable after the last', () => {
    expect(look(STABLE, 'good')).toEqual({ status: AT_10, restMs: 60_000 });
    const second = look(AT_10, 'good', 60_000);
    expect(second).toEqual({ status: { ...AT_10, percent: 50, since: at(60_000) }, restMs: 60_000 });
    expect(look(second.status, 'good', 119_999).status).toEqual(second.status);
    expect(look(second.status, 'good', 120_000)).toEqual({ status: { phase: 'Completed', stable: NEW } });
  });

  it('pauses on a failure, and soaks anew when it is good again', () => {
    const paused = look(AT_10, 'failing', 59_000).status;
    expect(paused).toEqual({ phase: 'Paused', percent: 10, failures: 1, stable: OLD, candidate: named(NEW) });
    expect(look(paused, 'failing').status).toMatchObject({ phase: 'Paused', failures: 2 });
    expect(look(paused, 'good', 61_000)).toEqual({ status: { ...AT_10, since: at(61_000) }, restMs: 60_000 });
  });

  it('pauses without counting when nothing is known of it', () => {
    let status: RollOutStatus | undefined = AT_10;
    for (let n = 0; n < 10; n += 1) status = look(status, 'unknown').status;
    expect(status).toEqual({ phase: 'Paused', percent: 10, stable: OLD, candidate: named(NEW) });
  });

  it('is taken back after as many failures in a row as the threshold says, and stays back', () => {
    let status: RollOutStatus | undefined = AT_10;
    for (let n = 0; n < 3; n += 1) status = look(status, 'failing').status;
    expect(status).toEqual({ phase: 'RolledBack', percent: 0, failures: 3, stable: OLD, candidate: named(NEW) });
    for (const verdict of ['good', 'failing', 'unknown'] as const) expect(look(status, verdict, 9_000_000).status).toEqual(status);
  });

  it('begins anew with the next generation', () => {
    const back: RollOutStatus = { phase: 'RolledBack', percent: 0, failures: 3, stable: OLD, candidate: named(NEW) };
    expect(look(back, 'good', 0, { ...NEW, generation: 3 }).status).toMatchObject({ phase: 'Progressing', percent: 10, candidate: { generation: 3 } });
    expect(look(back, 'failing', 0, { ...NEW, generation: 3 }).status).toMatchObject({ phase: 'Paused', percent: 0 });
  });

  it('ends at once when the object goes back to the stable one, whatever the probes say', () => {
    for (const verdict of ['good', 'failing', 'unknown'] as const) expect(look(AT_10, verdict, 0, { ...OLD, generation: 3 }).status).toEqual({ phase: 'Completed', stable: { ...OLD, generation: 3 } });
  });

  it('is nothing to go back to before it was good for everybody', () => {
    for (const verdict of ['failing', 'unknown'] as const) {
      expect(look(undefined, verdict).status).toBeUndefined();
      expect(look(STABLE, verdict, 0, { ...OLD, generation: 2, metadata: { theme: 'new' } }).status).toEqual(STABLE);
    }
  });

  it('goes on when only something else of the object changes, and begins anew when it is replaced by a third', () => {
    expect(look(AT_10, 'good', 30_000, { ...NEW, generation: 3 })).toEqual({ status: { ...AT_10, candidate: { ...named(NEW), generation: 3 } }, restMs: 30_000 });
    const third = { uiUrl: '/third', version: '3', generation: 3 };
    expect(look({ ...AT_10, percent: 50 }, 'failing', 0, third).status).toEqual({ phase: 'Paused', percent: 0, stable: OLD, candidate: third });
    expect(look({ ...AT_10, percent: 50 }, 'good', 0, third).status).toMatchObject({ phase: 'Progressing', percent: 10, stable: OLD, candidate: third });
  });
});

describe('an app in waves', () => {
  const waves = [{ percent: 20, soak: '1m' }, { percent: 60, soak: '1m' }];
  const next = (before: Parameters<typeof nextEnablement>[0]['before'], good: boolean, ms = 0) => nextEnablement({ waves, before, good, nowMs: START + ms });

  it('comes to nobody before it was good, then wave by wave to all', () => {
    expect(next(undefined, false)).toEqual({ status: undefined });
    const first = next(undefined, true);
    expect(first).toEqual({ status: { phase: 'Progressing', percent: 20, since: at(0) }, restMs: 60_000 });
    const second = next(first.status, true, 60_000);
    expect(second.status).toEqual({ phase: 'Progressing', percent: 60, since: at(60_000) });
    expect(next(second.status, true, 120_000).status).toEqual({ phase: 'Completed', percent: 100 });
  });

  it('keeps its share while it fails, whatever it takes, and soaks anew', () => {
    const paused = next({ phase: 'Progressing', percent: 60, since: at(0) }, false, 60_000);
    expect(paused.status).toEqual({ phase: 'Paused', percent: 60 });
    expect(next(paused.status, true, 90_000).status).toEqual({ phase: 'Progressing', percent: 60, since: at(90_000) });
  });

  it('is taken from nobody who has it', () => {
    for (const good of [true, false]) expect(next({ phase: 'Completed', percent: 100 }, good).status).toEqual({ phase: 'Completed', percent: 100 });
  });
});
