import type express from 'express';
import { rateKeyOfAddress, RateLimiter, rateLimit, type RateLimitRule } from '@satellite/kit/http';
import type { Container } from './container.js';

/**
 * Limits by address on everything that can be called without a token and costs something. Limits by account are the
 * business of who knows accounts (SignInGuard). Addresses are those that the trusted proxies vouch for.
 */
export function rateLimits(app: express.Express, { config, redis }: Container): void {
  const limiter = new RateLimiter(redis);
  const byAddress = (name: string, limit: number): express.RequestHandler => rateLimit(limiter, { name, limit, windowSeconds: 60 } satisfies RateLimitRule, addressOf);
  app.post('/api/auth/local-login', byAddress('login', config.limits.login));
  app.post('/api/auth/request-password-reset', byAddress('reset', config.limits.reset));
  app.post('/api/auth/confirm-password-reset', byAddress('reset-confirm', config.limits.login));
  app.post('/api/auth/register', byAddress('register', config.limits.register));
  app.post('/api/onboarding', byAddress('onboarding', config.limits.onboarding));
  app.get(['/api/auth/login', '/api/auth/callback'], byAddress('provider-login', config.limits.token));
  app.get('/api/.well-known/jwks.json', byAddress('keys', config.limits.keys));
  app.post(['/api/auth/service-token', '/api/auth/refresh', '/api/auth/exchange-idp'], byAddress('token', config.limits.token));
}

const addressOf = (request: express.Request): string => rateKeyOfAddress(request.ip ?? 'unknown');
