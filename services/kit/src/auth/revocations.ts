import type { JWTPayload } from 'jose';

/** What a revocation ends: one token (jti), one session (sid), or everything that a user or an organization was issued before. */
export type RevocationKind = 'token' | 'session' | 'user' | 'organization';

/** A row of `GET /api/auth/revocations`. */
export interface Revocation {
  /** Only grows; who has seen N has seen everything before it. */
  readonly seq: number;
  readonly kind: RevocationKind;
  /** jti, session id, user id or organization id. */
  readonly subject: string;
  /** ISO 8601. Kinds user and organization end tokens that were issued up to this moment. */
  readonly issuedBefore: string;
  /** ISO 8601; every token that it ends has expired by then. */
  readonly expiresAt: string;
}

interface Live {
  readonly revocation: Revocation;
  /** Milliseconds since the epoch. */
  readonly issuedBefore: number;
  readonly expiresAt: number;
}

/** The revocations that still matter, in memory. */
export class RevocationSet {
  /** In the order of their numbers. */
  private live: Live[] = [];
  private readonly bySubject = new Map<string, Live>();
  private seq = 0;

  /** Highest number taken over. */
  get lastSeq(): number {
    return this.seq;
  }

  /** Takes over revocations in the order of their numbers; those that are known change nothing. */
  add(revocations: readonly Revocation[]): void {
    for (const revocation of revocations) {
      if (revocation.seq <= this.seq) continue;
      const entry: Live = { revocation, issuedBefore: Date.parse(revocation.issuedBefore), expiresAt: Date.parse(revocation.expiresAt) };
      this.live.push(entry);
      this.bySubject.set(keyOf(revocation.kind, revocation.subject), entry);
      this.seq = revocation.seq;
    }
  }

  /** Everything up to this number is known, whether or not rows of it are left. */
  advance(seq: number): void {
    if (seq > this.seq) this.seq = seq;
  }

  clear(): void {
    this.live = [];
    this.bySubject.clear();
    this.seq = 0;
  }

  /** Revocations after a number, in order. */
  after(seq: number): Revocation[] {
    return this.live.filter(({ revocation }) => revocation.seq > seq).map(({ revocation }) => revocation);
  }

  /** Drops those whose tokens have expired by themselves. */
  prune(now = Date.now()): void {
    this.live = this.live.filter((entry) => {
      const { kind, subject } = entry.revocation;
      if (entry.expiresAt > now) return true;
      if (this.bySubject.get(keyOf(kind, subject)) === entry) this.bySubject.delete(keyOf(kind, subject));
      return false;
    });
  }

  /**
   * True when the token with these claims was ended before its time. `iat` has whole seconds, so who is let in again in
   * the second in which they were shut out has to sign in once more.
   */
  isRevoked({ sub, jti, iat = 0, sid, organizationId }: JWTPayload): boolean {
    if (this.bySubject.size === 0) return false;
    const issuedAt = iat * 1000;
    return (
      this.has('token', jti) || this.has('session', sid) || issuedAt <= this.issuedBefore('user', sub) || issuedAt <= this.issuedBefore('organization', organizationId)
    );
  }

  private has(kind: RevocationKind, subject: unknown): boolean {
    return typeof subject === 'string' && this.bySubject.has(keyOf(kind, subject));
  }

  private issuedBefore(kind: RevocationKind, subject: unknown): number {
    return (typeof subject === 'string' ? this.bySubject.get(keyOf(kind, subject))?.issuedBefore : undefined) ?? -Infinity;
  }
}

const keyOf = (kind: RevocationKind, subject: string): string => `${kind}:${subject}`;
