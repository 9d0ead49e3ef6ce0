import { climb, type Rung, type Standing } from './ladder.js';

const RUNGS: readonly Rung[] = [{ percent: 10, soak: '1m' }, { percent: 50, soak: '10m' }, { percent: 90, soak: '1h' }];
const START = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const MINUTE = 60_000;

describe('a growing share', () => {
  it('begins at the first rung and stays for its soak', () => {
    expect(climb(RUNGS, undefined, START)).toEqual({ standing: { percent: 10, since: at(0) }, restMs: MINUTE });
    expect(climb(RUNGS, { percent: 10, since: at(0) }, START + 20_000)).toEqual({ standing: { percent: 10, since: at(0) }, restMs: 40_000 });
    expect(climb(RUNGS, { percent: 10, since: at(0) }, START + MINUTE - 1).restMs).toBe(1);
  });

  it('goes one rung at a time, however late somebody looks, and then is beyond the last', () => {
    let standing: Standing | undefined;
    const seen: (number | undefined)[] = [];
    for (let look = 0; look < 5; look += 1) {
      standing = climb(RUNGS, standing, START + look * 1000 * MINUTE).standing;
      seen.push(standing?.percent);
      if (!standing) break;
    }
    expect(seen).toEqual([10, 50, 90, undefined]);
  });

  it('counts anew after a pause', () => {
    expect(climb(RUNGS, { percent: 50 }, START)).toEqual({ standing: { percent: 50, since: at(0) }, restMs: 10 * MINUTE });
  });

  it('never shrinks when the list is changed in the middle', () => {
    const standing = { percent: 60, since: at(0) };
    expect(climb([{ percent: 5, soak: '1m' }, { percent: 80, soak: '1m' }], standing, START + 2 * MINUTE)).toMatchObject({ standing: { percent: 80 } });
    expect(climb([{ percent: 5, soak: '1m' }, { percent: 80, soak: '1m' }], standing, START + 1000)).toMatchObject({ standing: { percent: 60 }, restMs: 59_000 });
    expect(climb([{ percent: 70, soak: '1m' }], standing, START)).toMatchObject({ standing: { percent: 70 } });
    expect(climb([{ percent: 20, soak: '0s' }], standing, START)).toEqual({});
  });

  it('is not held up by a clock that was set back', () => {
    expect(climb(RUNGS, { percent: 10, since: at(100 * MINUTE) }, START).restMs).toBe(MINUTE);
  });

  it('gives the same for the same, so that what was lost is repeated', () => {
    for (const before of [undefined, { percent: 10, since: at(0) }, { percent: 50 }]) expect(climb(RUNGS, before, START + 5 * MINUTE)).toEqual(climb(RUNGS, before, START + 5 * MINUTE));
  });
});
