import { Stalled, Waiting } from '../../runtime/errors.js';
import { resultOf, withEpisode, type Episode } from './history.js';

const episode = (over: Partial<Episode> = {}): Episode => ({ generation: 1, result: 'Succeeded', reason: 'Registered', startedAt: '2026-01-01T00:00:00Z', durationSeconds: 0.1, uiDigest: 'sha256:a', ...over });

describe('the history of an app', () => {
  it('takes a new outcome only when generation, reason or front-end changed', () => {
    const history = withEpisode(undefined, episode());
    expect(withEpisode(history, episode({ startedAt: '2026-01-02T00:00:00Z', durationSeconds: 7 }))).toEqual(history);
    for (const news of [{ generation: 2 }, { reason: 'UIUnreachable' }, { uiDigest: 'sha256:b' }]) expect(withEpisode(history, episode(news))).toEqual([episode(news), episode()]);
  });

  it('keeps the first and the last of many front-ends of one object, and what was before', () => {
    const before = [episode({ reason: 'UIUnreachable' }), episode({ generation: 0 })];
    const digests = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `sha256:${letter}`);
    const history = digests.reduce<Episode[]>((known, uiDigest) => withEpisode(known, episode({ uiDigest })), before);
    expect(history).toEqual([episode({ uiDigest: 'sha256:g' }), episode({ uiDigest: 'sha256:a' }), ...before]);
  });

  it('keeps the newest five', () => {
    const history = [1, 2, 3, 4, 5, 6, 7].reduce<Episode[]>((before, generation) => withEpisode(before, episode({ generation })), []);
    expect(history.map(({ generation }) => generation)).toEqual([7, 6, 5, 4, 3]);
  });

  it('says how it ended', () => {
    expect([resultOf(undefined, false), resultOf(undefined, true), resultOf(new Stalled('A', ''), false), resultOf(new Waiting('A', ''), false), resultOf(new Error(), false)]).toEqual(['Succeeded', 'Suspended', 'Stalled', 'Waiting', 'Failed']);
  });
});
