import type { RequestHandler } from 'express';
import { rateKeyOfAddress, RateLimited, setRateHeaders, type RateLimiter, type RateLimitRule } from '@satellite/kit/http';

/** Before everything that takes a link's token: who has tried too many that lead nowhere is not listened to for a while. */
export function linkGuard(limiter: RateLimiter, missesPerMinute: number): RequestHandler {
  const rule: RateLimitRule = { name: 'drive-link-misses', limit: missesPerMinute, windowSeconds: 60 };
  return (request, response, next) => {
    const key = rateKeyOfAddress(request.ip ?? 'unknown');
    response.once('finish', () => {
      if (response.statusCode === 404) void limiter.hit(rule, key);
    });
    limiter.peek(rule, key).then((state) => {
      if (state.allowed) return next();
      setRateHeaders(response, rule, state);
      next(new RateLimited(state.reset));
    }, next);
  };
}
