import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '@satellite/kit/cache';
import { AppError, messageOf } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';

/** Feeds whose numbers `next` gives. */
export type FeedName = 'policy' | 'revocations' | 'clients';

/** Numbers of the last changes; `registry` is the app registry, which numbers its own writes. */
export type FeedHeads = Readonly<Record<FeedName | 'registry', number>>;

/** Something in memory that is a copy of tables. */
export interface FeedFollower {
  /** Takes over every change up to these numbers; lower ones than before mean that the database was restored. One call at a time; throws when it cannot. */
  catchUp(heads: FeedHeads): Promise<void>;
}

const CHANNEL = 'shell:feeds';
const POLL_MS = 250;
/** Changes come in runs (an operator registers hundreds of apps): so far apart are the looks that messages cause. */
const HINT_PAUSE_MS = 50;
/** No answer from memory is older than a second; a little less, for the way to the caller. */
const MAX_AGE_MS = 900;
/** How long a request waits for copies that are too old to become fresh. */
const PATIENCE_MS = 1000;
/** Numbers only grow, so what followers read later only knows more. */
const HEADS = `select name, seq from feeds union all select 'registry', revision from registry_state`;

/** What the process knows of policies is too old to answer by. */
export class CopiesTooOld extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'gateway.unavailable';
  constructor(options?: ErrorOptions) {
    super('This cannot be decided at the moment. Try again.', {}, options);
  }
}

/** What a read of the database answers; throws CopiesTooOld when it fails, or when no answer comes in time: nobody's answer is no answer. */
export async function inTime<T>(read: Promise<T>): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([read, delay(PATIENCE_MS, undefined, { ref: false, signal: late.signal }).then(() => Promise.reject(new Error('no answer in time')))]);
  } catch (error) {
    throw error instanceof CopiesTooOld ? error : new CopiesTooOld({ cause: error });
  } finally {
    late.abort();
  }
}

/**
 * Numbered changes that every process follows: by message right after the commit, and by a look at the database four
 * times a second, so that a lost message or a lost Redis heals by itself. Numbers are taken under a row lock, so who
 * has seen N has seen everything before it.
 */
export class Feeds {
  private readonly followers: FeedFollower[] = [];
  private running: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  /** Moment (performance.now()) of which every follower knows all that was committed before. */
  private asOf = -Infinity;
  private lookingSince = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private hinted: NodeJS.Timeout | undefined;
  private subscriber: Redis | undefined;

  constructor(
    private readonly db: Database,
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {}

  /** Before `start`. */
  follow(follower: FeedFollower): void {
    this.followers.push(follower);
  }

  /** The next number of a feed, for a change in the running transaction; every process hears of it after the commit. Writers of one feed queue here. */
  async next(name: FeedName): Promise<number> {
    const [feed] = await this.db.query<{ seq: string }>('update feeds set seq = seq + 1 where name = ? returning seq', [name]);
    this.hint(name);
    return Number(feed?.seq);
  }

  /** Tells every process to look, once the running transaction is committed. */
  hint(name: FeedName): void {
    this.db.afterCommit(() => {
      this.lookSoon();
      this.redis.publish(CHANNEL, name).catch(() => undefined); // the others look by themselves a moment later
    });
  }

  async start(): Promise<void> {
    await this.look();
    this.subscriber = this.redis.duplicate();
    this.subscriber.on('error', (error: Error) => this.logger.warn({ error: error.message }, 'feed subscription'));
    this.subscriber.on('message', () => this.lookSoon());
    this.subscriber.on('ready', () => {
      this.subscriber?.subscribe(CHANNEL).catch((error: unknown) => this.logger.warn({ error: messageOf(error) }, 'feed subscription'));
    });
    this.timer = setInterval(() => {
      if (this.running === undefined) void this.lookQuietly();
    }, POLL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.hinted);
    this.subscriber?.disconnect();
  }

  /** True while answers from memory may be given. */
  isFresh(): boolean {
    return performance.now() - this.asOf <= MAX_AGE_MS;
  }

  /** Resolves when answers from memory may be given; throws CopiesTooOld when the database cannot be asked. */
  async fresh(): Promise<void> {
    if (this.isFresh()) return;
    if (this.running && performance.now() - this.lookingSince > PATIENCE_MS) throw new CopiesTooOld(); // others have waited already
    await inTime(this.look());
    if (!this.isFresh()) throw new CopiesTooOld();
  }

  /** Brings all followers up to the database. Who comes while one look runs shares the next, which reads after they came. */
  look(): Promise<void> {
    if (this.running === undefined) {
      this.running = this.catchUp().finally(() => (this.running = undefined));
      return this.running;
    }
    this.following ??= this.running.catch(() => undefined).then(() => {
      this.following = undefined;
      return this.look();
    });
    return this.following;
  }

  private async catchUp(): Promise<void> {
    const began = performance.now();
    this.lookingSince = began;
    const rows = await this.db.query<{ name: keyof FeedHeads; seq: string }>(HEADS);
    const heads = { policy: 0, revocations: 0, clients: 0, registry: 0, ...Object.fromEntries(rows.map(({ name, seq }) => [name, Number(seq)])) };
    await Promise.all(this.followers.map((follower) => follower.catchUp(heads)));
    this.asOf = began;
  }

  /** A look that begins after this call: at once, unless there has just been one. */
  private lookSoon(): void {
    if (this.hinted !== undefined) return;
    const pauseMs = this.lookingSince + HINT_PAUSE_MS - performance.now();
    if (pauseMs <= 0) return void this.lookQuietly();
    this.hinted = setTimeout(() => {
      this.hinted = undefined;
      void this.lookQuietly();
    }, pauseMs).unref();
  }

  private lookQuietly(): Promise<void> {
    return this.look().catch((error: unknown) => this.logger.warn({ error: messageOf(error) }, 'the feeds cannot be read; answers from memory end'));
  }
}
