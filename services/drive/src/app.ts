import type express from 'express';
import { rateKeyOfAddress, rateLimit, RateLimiter } from '@satellite/kit/http';
import { buildServiceApp } from '@satellite/kit/service';
import type { Container } from './container.js';
import { RegisterRoutes } from './generated/routes.js';
import { isBare } from './openapi.js';

/** Drive's HTTP face: REST under /api, probes and metrics. It does not listen. */
export function buildApp(container: Container): express.Express {
  const { config } = container;
  return buildServiceApp({
    container,
    envelope: 'satellite',
    trustedProxies: config.http.trustedProxies,
    pathPrefix: new URL(config.http.publicUrl).pathname,
    registerRoutes: RegisterRoutes,
    isBare,
    readsOwnBody: (request) => request.method === 'POST' && request.path === '/files/upload',
    beforeBodies: (app) => app.get('/s/:token', container.linkGuard, container.sharePage),
    beforeRoutes: (app) => {
      rateLimits(app, container);
      app.use('/api/public/files', container.linkGuard);
    },
  });
}

/** Everything that can be called without a token and costs something. */
function rateLimits(app: express.Express, { config, redis }: Container): void {
  const limiter = new RateLimiter(redis);
  app.post('/api/auth/exchange', rateLimit(limiter, { name: 'drive-exchange', limit: config.limits.exchange, windowSeconds: 60 }, (request) => rateKeyOfAddress(request.ip ?? 'unknown')));
}
