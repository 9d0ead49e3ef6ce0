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
  const { maxStalenessMs = 60_000, whenStale = 'refuse', logger } = options;
  const known = new RevocationSet();
  const stopping = new AbortController();
  let heardAt = -Infinity;

  const take = ({ seq, revocations }: News): void => {
    if (seq < known.lastSeq) known.clear(); // the Shell's database was restored: its list is the whole truth
    known.add(revocations);
    known.advance(seq);
    known.prune();
    heardAt = performance.now();
  };
  const follow = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        const [wait, before, began] = [heardAt !== -Infinity && failures === 0, known.lastSeq, performance.now()];
        take(await fetchNews(options, before, wait, stopping.signal));
        failures = 0;
        if (wait && known.lastSeq === before && performance.now() - began < PAUSE_MS) await pause(PAUSE_MS, stopping.signal); // a Shell that does not hold requests
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        logger?.warn({ error: messageOf(error), failures }, 'the list of revocations cannot be read');
        await pause(backoffMs(failures), stopping.signal);
      }
    }
  };
  const staleness = (): number => performance.now() - heardAt;
  return {
    async start() {
      await fetchNews(options, 0, false, stopping.signal).then(take, (error: unknown) => logger?.warn({ error: messageOf(error) }, 'the list of revocations cannot be read'));
      void follow();
    },
    stop: () => stopping.abort(),
    staleness,
    isRevoked: (claims) => known.isRevoked(claims),
    assertLive(claims) {
      if (known.isRevoked(claims)) throw new TokenRefused();
      if (whenStale === 'refuse' && staleness() > maxStalenessMs) throw new ShellUnavailable();
    },
  };
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
