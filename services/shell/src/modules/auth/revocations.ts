import type { Database } from '@satellite/kit/db';

/** What a revocation ends: one token, one session, or everything that a user or an organization holds. */
export type RevocationKind = 'token' | 'session' | 'user' | 'organization';

export interface Revocation {
  readonly seq: number;
  readonly kind: RevocationKind;
  /** jti, session id, user id or organization id. */
  readonly subject: string;
  /** Tokens issued before this moment are void; ISO 8601. */
  readonly issuedBefore: string;
}

/** Tokens live an hour; a little more, so that leeway and clocks do not matter. */
const KEEP_SECONDS = 3600 + 300;

/** Rows that end tokens before their time; called in the transaction that ends the right to them. */
export class Revocations {
  constructor(private readonly db: Database) {}

  async add(kind: RevocationKind, subject: string): Promise<void> {
    const [feed] = await this.db.query<{ seq: string }>(`update feeds set seq = seq + 1 where name = 'revocations' returning seq`);
    await this.db.query(`insert into revocations (seq, kind, subject, issued_before, expires_at) values (?, ?, ?, clock_timestamp(), now() + make_interval(secs => ?))`, [Number(feed?.seq), kind, subject, KEEP_SECONDS]);
  }

  /** Revocations after a number that still matter, in order. */
  async after(seq: number): Promise<Revocation[]> {
    const rows = await this.db.query<{ seq: string; kind: RevocationKind; subject: string; issuedBefore: string }>(
      `select seq, kind, subject, issued_before as "issuedBefore" from revocations where seq > ? and expires_at > now() order by seq`,
      [seq],
    );
    return rows.map((row) => ({ ...row, seq: Number(row.seq), issuedBefore: new Date(row.issuedBefore).toISOString() }));
  }

  /** Removes rows whose tokens have all expired by themselves. */
  async prune(): Promise<void> {
    await this.db.query('delete from revocations where expires_at < now()');
  }
}
