import { isUnsettled, nextHealth, type Health } from './health.js';

const SPACING = 10_000;

/** Checks one after the other, `+` good and `-` failed, each a spacing after the one before. */
function after(checks: string, start: Health | undefined = nextHealth(undefined, true, 0, SPACING)): Health | undefined {
  return [...checks].reduce((health, check, at) => nextHealth(health, check === '+', (at + 1) * SPACING, SPACING), start);
}

describe('the health of an app', () => {
  it('begins with the first good check; one that never answered is not degraded', () => {
    expect(nextHealth(undefined, false, 0, SPACING)).toBeUndefined();
    expect(nextHealth(undefined, true, 0, SPACING)).toEqual({ degraded: false, failures: 0, successes: 0, since: '1970-01-01T00:00:00.000Z' });
  });

  it.each([
    ['-', false], ['--', false], ['---', true], ['------', true], ['--+', false], ['--+--', false], ['--+---', true],
    ['---+', true], ['---++', false], ['---+-+-', true], ['---+-+-++', false], ['---++--', false], ['---++---', true],
    ['-+-+-+-+-+', false], ['---+-+-+-+', true],
  ])('%s: degraded %s', (checks, degraded) => {
    expect(after(checks)?.degraded).toBe(degraded);
  });

  it('knows since when', () => {
    expect(after('---')?.since).toBe('1970-01-01T00:00:30.000Z');
    expect(after('---------+')?.since).toBe('1970-01-01T00:00:30.000Z');
    expect(after('---++')).toEqual({ degraded: false, failures: 0, successes: 0, since: '1970-01-01T00:00:50.000Z' });
  });

  it('counts a check that was asked for in between only once', () => {
    const failing = after('-');
    expect(nextHealth(failing, false, 1.2 * SPACING, SPACING)).toBe(failing);
    expect(nextHealth(failing, true, 1.2 * SPACING, SPACING)).toBe(failing);
    expect(nextHealth(failing, false, 2 * SPACING, SPACING)?.failures).toBe(2);
  });

  it('is the same object while nothing is counted, so that nothing is written', () => {
    const [well, ill] = [after('+'), after('-----')];
    expect(nextHealth(well, true, 9 * SPACING, SPACING)).toBe(well);
    expect(nextHealth(ill, false, 9 * SPACING, SPACING)).toBe(ill);
  });

  it('is looked at again soon only between the two', () => {
    expect(['', '-', '--', '---', '---+', '---++'].map((checks) => isUnsettled(after(checks) as Health))).toEqual([false, true, true, false, true, false]);
  });
});
