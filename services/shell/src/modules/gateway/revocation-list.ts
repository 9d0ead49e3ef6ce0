import type { JWTPayload } from 'jose';
import { RevocationSet, type Revocation } from '@satellite/kit/auth';
import { inTime, type FeedFollower, type FeedHeads, type Feeds } from '../../feeds.js';

/** Where the rows are. */
export interface RevocationRows {
  after(seq: number): Promise<Revocation[]>;
}

/** Revocations that a satellite does not know yet. */
export interface RevocationNews {
  /** Everything up to this number is known to who takes over the list. Lower than asked for: forget all, the database was restored. */
  readonly seq: number;
  readonly revocations: readonly Revocation[];
}

const PRUNE_MS = 60_000;
/** Long polls at a time; who comes later is answered at once and asks again. */
const MAX_WAITING = 2000;

/** The live revocations, in memory; satellites wait here for the next one. */
export class RevocationList implements FeedFollower {
  private readonly set = new RevocationSet();
  private seq = 0;
  private prunedAt = Date.now();
  private readonly waiting = new Set<() => void>();
  private closed = false;

  constructor(
    private readonly rows: RevocationRows,
    private readonly feeds: Feeds,
  ) {
    feeds.follow(this);
  }

  async catchUp({ revocations }: FeedHeads): Promise<void> {
    if (Date.now() - this.prunedAt > PRUNE_MS) this.prune();
    if (revocations === this.seq) return;
    if (revocations < this.seq) this.set.clear();
    this.set.add(await this.rows.after(this.set.lastSeq));
    this.set.advance(revocations);
    this.seq = this.set.lastSeq;
    this.wake();
  }

  private prune(): void {
    this.prunedAt = Date.now();
    this.set.prune();
  }

  isRevoked(claims: JWTPayload): boolean {
    return this.set.isRevoked(claims);
  }

  /** What came after a number, as the database has it now; throws CopiesTooOld when that cannot be known. */
  async after(seq: number): Promise<RevocationNews> {
    await inTime(this.feeds.look());
    return this.news(seq);
  }

  /** What came after a number; waits up to `waitMs` until there is something. Ends early when `signal` aborts or the Shell stops. */
  async next(seq: number, waitMs: number, signal: AbortSignal): Promise<RevocationNews> {
    await this.feeds.fresh();
    if (seq > this.seq) return this.after(seq); // another process of the Shell knew more, or the database was restored
    if (this.seq === seq && !this.closed && !signal.aborted && this.waiting.size < MAX_WAITING) await this.change(waitMs, signal);
    await this.feeds.fresh();
    return this.news(seq);
  }

  private news(seq: number): RevocationNews {
    return { seq: this.seq, revocations: this.set.after(seq > this.seq ? 0 : seq) };
  }

  private change(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs).unref();
      signal.addEventListener('abort', done);
      this.waiting.add(done);
    });
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }

  start(): void {
    this.closed = false;
  }

  /** Answers everybody who waits, so that connections can end. */
  drain(): void {
    this.closed = true;
    this.wake();
  }

  stop(): void {
    this.drain();
  }
}
