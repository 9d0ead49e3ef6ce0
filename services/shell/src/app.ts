import express from 'express';
import helmet from 'helmet';
import { expressConnectMiddleware } from '@connectrpc/connect-express';
import { envelope, errorHandler, jsonBodiesOnly, knownParametersOnly, metricsEndpoint, observeRequests, requestContext, unknownRoute } from '@satellite/kit/http';
import { errorInterceptor } from '@satellite/kit/rpc';
import type { Registry } from '@satellite/kit/telemetry';
import { AppRegistry } from '@satellite/proto/registry/v1';
import type { Container } from './container.js';
import { RegisterRoutes } from './generated/routes.js';
import { appRegistryRpc } from './modules/apps/index.js';
import { EXPLORER_SCRIPT, explorerAssets } from './modules/settings/index.js';
import { isBare, takesAnyQuery } from './openapi.js';
import { rateLimits } from './rate-limits.http.js';

const MAX_BODY = '256kb';

/** The Shell's HTTP face: REST under /api, Connect beside it, probes and metrics. It does not listen. */
export function buildApp(container: Container, metrics: Registry): express.Express {
  const { config, logger } = container;
  const app = express();
  app.locals['container'] = container;
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').set('trust proxy', config.http.trustedProxies);
  app.use(requestContext(), observeRequests(logger, metrics));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } }));
  probes(app, container, metrics);
  rpc(app, container);
  app.use('/api', jsonBodiesOnly(), express.json({ limit: MAX_BODY, strict: true }), (request, _response, next) => {
    request.body ??= {}; // Express 5 leaves it undefined; the generated routes read it
    next();
  });
  app.use(envelope(config.http.envelope, isBare));
  rateLimits(app, container);
  app.use('/api', knownParametersOnly(container.openapi, takesAnyQuery));
  explorer(app);
  RegisterRoutes(app);
  app.use('/api', unknownRoute(container.openapi));
  app.use(errorHandler({ envelope: config.http.envelope, logger }));
  return app;
}

/** /livez: this process turns; /readyz: it can answer, so the database is there. */
function probes(app: express.Express, { db }: Container, metrics: Registry): void {
  app.get('/livez', (_request, response) => void response.type('text').send('ok\n'));
  app.get('/readyz', (_request, response, next) => {
    db.isUp().then((up) => void response.status(up ? 200 : 503).type('text').send(up ? 'ok\n' : 'the database is away\n'), next);
  });
  app.get('/metrics', metricsEndpoint(metrics));
}

function rpc(app: express.Express, container: Container): void {
  app.use(
    expressConnectMiddleware({
      requestPathPrefix: '/api',
      jsonOptions: { alwaysEmitImplicit: true }, // proto3 JSON drops `false` and 0, which are answers here
      interceptors: [errorInterceptor(container.logger)],
      routes: (router) => {
        router.service(AppRegistry, appRegistryRpc(container.operatorRegistry, container.authorize));
      },
    }),
  );
}

function explorer(app: express.Express): void {
  app.get('/api/doc/explorer/start.js', (_request, response) => void response.type('js').send(EXPLORER_SCRIPT));
  app.use('/api/doc/explorer/assets', express.static(explorerAssets(), { index: false, maxAge: '1h' }));
}
