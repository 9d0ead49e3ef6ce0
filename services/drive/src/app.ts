import type express from 'express';
import { packagePath } from '@satellite/kit/config';
import { rateKeyOfAddress, rateLimit, RateLimiter, webFiles } from '@satellite/kit/http';
import { connectRoutes } from '@satellite/kit/rpc';
import { buildServiceApp } from '@satellite/kit/service';
import { DataSource } from '@satellite/proto/datasource/v1';
import type { Container } from './container.js';
import { RegisterRoutes } from './generated/routes.js';
import { isBare } from './openapi.js';

/** Drive's HTTP face: REST under /api, Connect beside it, pages of links, probes and metrics. It does not listen. */
export function buildApp(container: Container): express.Express {
  const { config } = container;
  return buildServiceApp({
    container,
    envelope: 'satellite',
    trustedProxies: config.http.trustedProxies,
    pathPrefix: new URL(config.http.publicUrl).pathname,
    registerRoutes: RegisterRoutes,
    isBare,
    onRefusal: container.refusals.onRefusal,
    readsOwnBody: (request) => request.method === 'POST' && request.path === '/files/upload',
    beforeBodies: (app) => {
      frontEnd(app);
      app.get('/s/:token', container.linkGuard, container.sharePage);
      app.use(connectRoutes(container.logger, (router) => router.service(DataSource, container.dataSource)));
    },
    beforeRoutes: (app) => {
      rateLimits(app, container);
      app.use('/api/public/files', container.linkGuard);
    },
  });
}

/** What the Shell's page loads; where it has not been built, as in Drive's own API tests, nothing is there. */
function frontEnd(app: express.Express): void {
  const folder = packagePath(import.meta.dirname, 'web/dist');
  if (folder !== undefined) app.use('/ui', webFiles(folder));
  // a page in place of a missing script would be taken for one
  app.use('/ui', (_request, response) => void response.status(404).type('text').send('There is no such file.\n'));
}

/** Everything that can be called without a token and costs something. */
function rateLimits(app: express.Express, { config, redis }: Container): void {
  const limiter = new RateLimiter(redis);
  app.post('/api/auth/exchange', rateLimit(limiter, { name: 'drive-exchange', limit: config.limits.exchange, windowSeconds: 60 }, (request) => rateKeyOfAddress(request.ip ?? 'unknown')));
}
