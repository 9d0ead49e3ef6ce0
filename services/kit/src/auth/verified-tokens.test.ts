import { VerifiedTokens } from './verified-tokens.js';

const later = (): number => Date.now() / 1000 + 60;

describe('VerifiedTokens', () => {
  it('ends entries with their token', () => {
    const kept = new VerifiedTokens<{ exp?: number }>();
    kept.put('live', { exp: later() });
    kept.put('over', { exp: Date.now() / 1000 - 1 });
    kept.put('timeless', {});
    expect([kept.get('live'), kept.get('over'), kept.get('timeless'), kept.get('unknown')]).toEqual([{ exp: expect.any(Number) }, undefined, undefined, undefined]);
  });

  it('is bounded: the oldest goes', () => {
    const kept = new VerifiedTokens<{ exp?: number; n: number }>(3);
    for (let n = 0; n < 5; n += 1) kept.put(`t${n}`, { exp: later(), n });
    expect([0, 1, 2, 3, 4].map((n) => kept.get(`t${n}`)?.n)).toEqual([undefined, undefined, 2, 3, 4]);
  });
});
