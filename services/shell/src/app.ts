import express from 'express';
import helmet from 'helmet';
import { expressConnectMiddleware } from '@connectrpc/connect-express';
import { envelope, errorHandler, jsonBodiesOnly, knownParametersOnly, metricsEndpoint, observeRequests, requestContext, unknownRoute } from '@satellite/kit/http';
import { errorInterceptor } from '@satellite/kit/rpc';
import { AuthGateway } from '@satellite/proto/auth/v1';
import { RbacService } from '@satellite/proto/rbac/v1';
import { AppRegistry } from '@satellite/proto/registry/v1';
import type { Container } from './container.js';
import { RegisterRoutes } from './generated/routes.js';
import { appRegistryRpc } from './modules/apps/index.js';
import { authGatewayRpc, rbacRpc } from './modules/gateway/index.js';
import { EXPLORER_SCRIPT, explorerAssets } from './modules/settings/index.js';
import { keepWebhookBody } from './modules/subscriptions/index.js';
import { isBare, takesAnyQuery } from './openapi.js';
import { rateLimits } from './rate-limits.http.js';

const MAX_BODY = '256kb';
/** Bytes of an RPC; Connect's own limit is 4 GB. */
const MAX_MESSAGE = 1_048_576;

/** The Shell's HTTP face: REST under /api, Connect beside it, probes and metrics. It does not listen. */
export function buildApp(container: Container): express.Express {
  const { config, logger, metrics } = container;
  const app = express();
  app.locals['container'] = container;
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').set('trust proxy', config.http.trustedProxies);
  app.use(requestContext(), container.gateway.hotPath); // before the log: it counts its decisions itself
  app.use(observeRequests(logger, metrics));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } }));
  probes(app, container);
  rpc(app, container);
  if (container.paymentPages) app.use(container.paymentPages.path, container.paymentPages.router); // forms: before bodies have to be JSON
  app.use('/api', jsonBodiesOnly(), express.json({ limit: MAX_BODY, strict: true, verify: keepWebhookBody }), (request, _response, next) => {
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
function probes(app: express.Express, { db, metrics }: Container): void {
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
      readMaxBytes: MAX_MESSAGE,
      jsonOptions: { alwaysEmitImplicit: true }, // proto3 JSON drops `false` and 0, which are answers here
      interceptors: [errorInterceptor(container.logger)],
      routes: (router) => {
        router.service(AppRegistry, appRegistryRpc(container.operatorRegistry, container.authorize));
        router.service(AuthGateway, authGatewayRpc(container.gateway.exchanges, container.gateway.callers));
        router.service(RbacService, rbacRpc(container.gateway.rbac, container.gateway.callers));
      },
    }),
  );
}

function explorer(app: express.Express): void {
  app.get('/api/doc/explorer/start.js', (_request, response) => void response.type('js').send(EXPLORER_SCRIPT));
  app.use('/api/doc/explorer/assets', express.static(explorerAssets(), { index: false, maxAge: '1h' }));
}
