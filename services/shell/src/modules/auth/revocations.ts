import type { Revocation, RevocationKind } from '@satellite/kit/auth';
import type { Database } from '@satellite/kit/db';
import type { Feeds } from '../../feeds.js';

/** Tokens live an hour; a little more, so that leeway and clocks do not matter. */
const KEEP_SECONDS = 3600 + 300;

/** Rows that end tokens before their time; called in the transaction that ends the right to them. */
export class Revocations {
  constructor(
    private readonly db: Database,
    private readonly feeds: Feeds,
  ) {}

  async add(kind: RevocationKind, subject: string): Promise<void> {
    const seq = await this.feeds.next('revocations');
    await this.db.query(`insert into revocations (seq, kind, subject, issued_before, expires_at) values (?, ?, ?, clock_timestamp(), now() + make_interval(secs => ?))`, [seq, kind, subject, KEEP_SECONDS]);
  }

  /** Revocations after a number that still matter, in order. */
  async after(seq: number): Promise<Revocation[]> {
    const rows = await this.db.query<Omit<Revocation, 'seq'> & { seq: string }>(
      `select seq, kind, subject, issued_before as "issuedBefore", expires_at as "expiresAt" from revocations where seq > ? and expires_at > now() order by seq`,
      [seq],
    );
    const iso = (timestamp: string): string => new Date(timestamp).toISOString();
    return rows.map((row) => ({ ...row, seq: Number(row.seq), issuedBefore: iso(row.issuedBefore), expiresAt: iso(row.expiresAt) }));
  }
}
