import { mergeConditions } from './conditions.js';
import { Stalled, Waiting } from './errors.js';
import { inProgress, summarize } from './summarize.js';

const OK = { reason: 'Done', message: 'All is well.' };
const brief = (outcome: unknown) => Object.fromEntries(summarize(outcome, OK).map(({ type, status, reason }) => [type, `${status} ${reason}`]));

describe('summarize', () => {
  it('follows kstatus: abnormal conditions are present only while they hold', () => {
    expect(brief(undefined)).toEqual({ Ready: 'True Done' });
    expect(brief(new Stalled('Wrong', 'change it'))).toEqual({ Ready: 'False Wrong', Stalled: 'True Wrong' });
    expect(brief(new Waiting('Later', 'not yet'))).toEqual({ Ready: 'False Later', Reconciling: 'True ProgressingWithRetry' });
    expect(brief(new Error('broken'))).toEqual({ Ready: 'False ReconcileFailed', Reconciling: 'True ProgressingWithRetry' });
    expect(inProgress('working').map(({ type, status }) => [type, status])).toEqual([['Ready', 'Unknown'], ['Reconciling', 'True']]);
  });

  it('shows nothing of a programming error', () => {
    const [ready] = summarize(new TypeError("Cannot read properties of undefined (reading 'secret')"), OK);
    expect(ready?.message).not.toContain('secret');
  });
});

describe('mergeConditions', () => {
  it('keeps the transition time while the status stays, and renews reason and generation', () => {
    const first = mergeConditions(undefined, [{ type: 'Ready', status: 'False', reason: 'A', message: 'a' }], 1, '2026-01-01T00:00:00Z');
    const same = mergeConditions(first, [{ type: 'Ready', status: 'False', reason: 'B', message: 'b' }], 2, '2026-01-02T00:00:00Z');
    expect(same).toEqual([{ type: 'Ready', status: 'False', reason: 'B', message: 'b', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 2 }]);
    const changed = mergeConditions(same, [{ type: 'Ready', status: 'True', reason: 'C', message: 'c' }], 2, '2026-01-03T00:00:00Z');
    expect(changed[0]?.lastTransitionTime).toBe('2026-01-03T00:00:00Z');
  });
});
