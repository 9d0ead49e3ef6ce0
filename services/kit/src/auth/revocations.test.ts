import { RevocationSet, type Revocation, type RevocationKind } from './revocations.js';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const row = (seq: number, kind: RevocationKind, subject: string, issuedBefore = 1000, expiresAt = 9_999_999_999): Revocation => ({ seq, kind, subject, issuedBefore: at(issuedBefore), expiresAt: at(expiresAt) });
const claims = (over: object = {}) => ({ sub: 'ann', jti: 'token-1', sid: 'session-1', organizationId: 'acme', iat: 500, ...over });

describe('RevocationSet', () => {
  it.each<[RevocationKind, string]>([['token', 'token-1'], ['session', 'session-1'], ['user', 'ann'], ['organization', 'acme']])('ends tokens by %s', (kind, subject) => {
    const set = new RevocationSet();
    expect(set.isRevoked(claims())).toBe(false);
    set.add([row(1, kind, subject)]);
    expect(set.isRevoked(claims())).toBe(true);
    expect(set.isRevoked({ sub: 'bob', jti: 'token-2', sid: 'session-2', organizationId: 'other', iat: 500 })).toBe(false);
  });

  it('does not take one kind\'s subject for another\'s', () => {
    const set = new RevocationSet();
    set.add([row(1, 'session', 'ann'), row(2, 'token', 'session-1'), row(3, 'user', 'acme')]);
    expect(set.isRevoked(claims())).toBe(false);
    expect(set.isRevoked({})).toBe(false);
  });

  it('lets tokens live that were issued after a user or an organization was shut out, and ends those of the very second', () => {
    const set = new RevocationSet();
    set.add([row(1, 'user', 'ann', 1000)]);
    expect([999, 1000, 1001].map((iat) => set.isRevoked(claims({ iat })))).toEqual([true, true, false]);
    expect(set.isRevoked(claims({ iat: undefined }))).toBe(true);
  });

  it('keeps the latest of two for one subject, takes known numbers once, and forgets what has expired', () => {
    const set = new RevocationSet();
    set.add([row(1, 'user', 'ann', 1000, 2000), row(2, 'user', 'ann', 1500, 3000)]);
    set.add([row(2, 'user', 'bob')]);
    expect(set.isRevoked(claims({ sub: 'bob' }))).toBe(false);
    set.prune(2_500_000);
    expect(set.isRevoked(claims({ iat: 1400 }))).toBe(true);
    expect(set.after(0).map(({ seq }) => seq)).toEqual([2]);
    set.prune(3_500_000);
    expect([set.isRevoked(claims()), set.after(0), set.lastSeq]).toEqual([false, [], 2]);
    set.advance(1);
    expect(set.lastSeq).toBe(2);
    set.clear();
    expect(set.lastSeq).toBe(0);
  });
});
