import { hash } from 'node:crypto';

/**
 * Results of verifications by the token's SHA-256: a look-up costs a hundredth of an RS256 check. Entries end with
 * their token, and the oldest goes when there are too many. Only what a signature vouched for may be put in.
 */
export class VerifiedTokens<T extends { readonly exp?: number | undefined }> {
  private readonly kept = new Map<string, T>();

  constructor(private readonly max = 10_000) {}

  get(token: string): T | undefined {
    const key = hash('sha256', token, 'base64');
    const found = this.kept.get(key);
    if (found === undefined || (found.exp ?? 0) * 1000 > Date.now()) return found;
    this.kept.delete(key);
    return undefined;
  }

  put(token: string, verified: T): void {
    this.kept.set(hash('sha256', token, 'base64'), verified);
    if (this.kept.size > this.max) this.kept.delete(this.kept.keys().next().value ?? '');
  }

  clear(): void {
    this.kept.clear();
  }
}
