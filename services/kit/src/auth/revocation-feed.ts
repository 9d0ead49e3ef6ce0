import { setTimeout as delay } from 'node:timers/promises';
import type { JWTPayload } from 'jose';
import { messageOf } from '../core/index.js';
import type { Logger } from '../telemetry/index.js';
import { ShellUnavailable, TokenRefused } from './errors.js';
import { RevocationSet, type Revocation } from './revocations.js';
import type { ServiceTokenClient } from './service-token-client.js';

export interface RevocationFeedOptions {
  /** `<shell>/api/auth/revocations`. */
  readonly url: string;
  readonly tokens: ServiceTokenClient;
  /** How long nothing may have been heard of the Shell, in milliseconds (default 60 s); its own answers come every 25 s at the latest. */
  readonly maxStalenessMs?: number;
  /**
   * What becomes of tokens after that. `refuse` (the default): 503, since a token that was ended must not live on where
   * the Shell is out of reach. `accept`: signature and expiry alone decide, so that a logout may go unnoticed for as
   * long as the Shell is away; for services in which that is the lesser harm.
   */
  readonly whenStale?: 'refuse' | 'accept';
  readonly logger?: Logger;
  readonly fetch?: typeof fetch;
}

export interface RevocationFeed {
  /** Begins to follow; resolves after the first try, whether or not it succeeded. */
  start(): Promise<void>;
  stop(): void;
  /** Milliseconds since the last answer of the Shell; Infinity before the first. */
  staleness(): number;
  /** By all that is known, however old. */
  isRevoked(claims: JWTPayload): boolean;
  /** Throws TokenRefused for a token that was ended, ShellUnavailable when too little is known to say. */
  assertLive(claims: JWTPayload): void;
}

interface News {
  readonly seq: number;
  readonly revocations: readonly Revocation[];
}

/** Above the 25 seconds for which the Shell holds a request. */
const TIMEOUT_MS = 35_000;
const FIRST_TIMEOUT_MS = 5000;
const MAX_BACKOFF_MS = 5000;
const PAUSE_MS = 250;

/** Follows the Shell's list of tokens that ended before their time: one request waits there for the next, so that a logout is known here in milliseconds. */
export function createRevocationFeed(options: RevocationFeedOptions): RevocationFeed {
  const { maxStalenessMs = 60_000, whenStale = 'refuse' } = options;
  const list = new FollowedList(options);
  return {
    start: () => list.start(),
    stop: () => list.stop(),
    staleness: () => list.staleness(),
    isRevoked: (claims) => list.known.isRevoked(claims),
    assertLive(claims) {
      if (list.known.isRevoked(claims)) throw new TokenRefused();
      if (whenStale === 'refuse' && list.staleness() > maxStalenessMs) throw new ShellUnavailable();
    },
  };
}

class FollowedList {
  readonly known = new RevocationSet();
  private readonly stopping = new AbortController();
  private heardAt = -Infinity;

  constructor(private readonly options: RevocationFeedOptions) {}

  staleness(): number {
    return performance.now() - this.heardAt;
  }

  async start(): Promise<void> {
    await fetchNews(this.options, 0, false, this.stopping.signal).then((news) => this.take(news), (error: unknown) => this.warn(error));
    void this.follow();
  }

  stop(): void {
    this.stopping.abort();
  }

  private take({ seq, revocations }: News): void {
    if (seq < this.known.lastSeq) this.known.clear(); // the Shell's database was restored: its list is the whole truth
    this.known.add(revocations);
    this.known.advance(seq);
    this.known.prune();
    this.heardAt = performance.now();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.ask(failures === 0);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.warn(error);
        await pause(backoffMs(failures), signal);
      }
    }
  }

  private async ask(wait: boolean): Promise<void> {
    const { signal } = this.stopping;
    const [before, began] = [this.known.lastSeq, performance.now()];
    this.take(await fetchNews(this.options, before, wait && this.heardAt !== -Infinity, signal));
    if (this.known.lastSeq === before && performance.now() - began < PAUSE_MS) await pause(PAUSE_MS, signal); // a Shell that does not hold requests
  }

  private warn(error: unknown): void {
    this.options.logger?.warn({ error: messageOf(error) }, 'the list of revocations cannot be read');
  }
}

const pause = (ms: number, stopping: AbortSignal): Promise<void> => delay(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined);

/** 100 ms, doubled each time, up to 5 s; half of it random, so that satellites do not come back all at once. */
function backoffMs(failures: number): number {
  const full = Math.min(100 * 2 ** (failures - 1), MAX_BACKOFF_MS);
  return full / 2 + (Math.random() * full) / 2;
}

async function fetchNews({ url, tokens, fetch: fetchNow = fetch }: RevocationFeedOptions, after: number, wait: boolean, stopping: AbortSignal): Promise<News> {
  const address = `${url}?after=${after}${wait ? '&wait=true' : ''}`;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(wait ? TIMEOUT_MS : FIRST_TIMEOUT_MS)]);
  const response = await fetchNow(address, { headers: { authorization: `Bearer ${await tokens.token()}` }, redirect: 'error', signal });
  if (response.status === 401) tokens.forget();
  if (!response.ok) throw new Error(`the Shell answers ${response.status}`);
  const news = (await response.json()) as News;
  if (!Number.isSafeInteger(news.seq) || !Array.isArray(news.revocations)) throw new Error('the Shell answers with an unknown shape');
  return news;
}
