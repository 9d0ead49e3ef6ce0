import type { Request, RequestHandler, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { Redis } from '../cache/index.js';
import { AppError } from '../core/index.js';

export interface RateLimitRule {
  /** Name in headers and keys, for example `login-address`. */
  readonly name: string;
  /** Requests in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Too many requests; `retryAfter` in seconds. */
export class RateLimited extends AppError {
  readonly kind = 'rate_limited';
  readonly code = 'request.rate_limited';
  constructor(readonly retryAfter: number) {
    super(`Too many requests. Try again in ${retryAfter} seconds.`, { retryAfter });
  }
}

export interface RateLimitState {
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly allowed: boolean;
}

/** Counts and reads the rest of the window in one step, so that no increment is lost. */
const COUNT = `local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { n, redis.call('PTTL', KEYS[1]) }`;

const MAX_LOCAL_KEYS = 10_000;

/**
 * Fixed windows in Redis, shared by all processes. While Redis is away each process counts for itself: the limit is
 * then looser by the number of processes, never off.
 */
export class RateLimiter {
  private readonly local = new Map<string, { count: number; end: number }>();

  constructor(private readonly redis: Redis) {}

  async hit(rule: RateLimitRule, key: string): Promise<RateLimitState> {
    const windowMs = rule.windowSeconds * 1000;
    const [count, ttl] = await this.count(`rate:${rule.name}:${key}`, windowMs);
    return { remaining: Math.max(0, rule.limit - count), reset: Math.max(1, Math.ceil(ttl / 1000)), allowed: count <= rule.limit };
  }

  /** Whether another one would be allowed; counts nothing. */
  async peek(rule: RateLimitRule, key: string): Promise<RateLimitState> {
    const [count, ttl] = await this.seen(`rate:${rule.name}:${key}`, rule.windowSeconds * 1000);
    return { remaining: Math.max(0, rule.limit - count), reset: Math.max(1, Math.ceil(ttl / 1000)), allowed: count < rule.limit };
  }

  private async seen(key: string, windowMs: number): Promise<[count: number, ttlMs: number]> {
    try {
      return [Number(await this.redis.get(key)), await this.redis.pttl(key)];
    } catch {
      const kept = this.local.get(key);
      return kept && kept.end > Date.now() ? [kept.count, kept.end - Date.now()] : [0, windowMs];
    }
  }

  private async count(key: string, windowMs: number): Promise<[count: number, ttlMs: number]> {
    try {
      return (await this.redis.eval(COUNT, 1, key, windowMs)) as [number, number];
    } catch {
      return this.countHere(key, windowMs);
    }
  }

  private countHere(key: string, windowMs: number): [number, number] {
    const now = Date.now();
    const kept = this.local.get(key);
    const entry = kept && kept.end > now ? kept : { count: 0, end: now + windowMs };
    entry.count += 1;
    this.local.delete(key);
    this.local.set(key, entry);
    if (this.local.size > MAX_LOCAL_KEYS) this.local.delete(this.local.keys().next().value ?? '');
    return [entry.count, entry.end - now];
  }
}

/** Refuses with 429 when the rule's limit for the request's key is used up; tells the rest in headers (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimit(limiter: RateLimiter, rule: RateLimitRule, keyOf: (request: Request) => string): RequestHandler {
  return (request, response, next) => {
    limiter.hit(rule, keyOf(request)).then((state) => {
      setRateHeaders(response, rule, state);
      next(state.allowed ? undefined : new RateLimited(state.reset));
    }, next);
  };
}

/** `RateLimit-Policy`, `RateLimit` and, when refused, `Retry-After` (RFC 9110 section 10.2.3). */
export function setRateHeaders(response: Response, rule: RateLimitRule, state: RateLimitState): void {
  response.setHeader('RateLimit-Policy', `"${rule.name}";q=${rule.limit};w=${rule.windowSeconds}`);
  response.setHeader('RateLimit', `"${rule.name}";r=${state.remaining};t=${state.reset}`);
  if (!state.allowed) response.setHeader('Retry-After', String(state.reset));
}

/** Groups of 16 bits that are the network's part of an IPv6 address. */
const NETWORK_GROUPS = 4;

/**
 * Whom requests from an address are counted for. One subscriber gets a whole IPv6 /64 and could take a new address for
 * each request, so that much counts as one; text that is no address stays as it is.
 */
export function rateKeyOfAddress(address: string): string {
  // the strict four-part form only: ipaddr.js also reads "1" or "0x7f.1" as IPv4
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.map((group, index) => (index < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(network).toString()}/64`;
}
