import express from 'express';
import { packagePath } from '@satellite/kit/config';
import { connectRoutes } from '@satellite/kit/rpc';
import { buildServiceApp } from '@satellite/kit/service';
import { AuthGateway } from '@satellite/proto/auth/v1';
import { RbacService } from '@satellite/proto/rbac/v1';
import { AppRegistry } from '@satellite/proto/registry/v1';
import type { Container } from './container.js';
import { RegisterRoutes } from './generated/routes.js';
import { appRegistryRpc } from './modules/apps/index.js';
import { signInPage } from './modules/auth/index.js';
import { auditScope } from './modules/audit/index.js';
import { authGatewayRpc, rbacRpc } from './modules/gateway/index.js';
import { EXPLORER_SCRIPT, explorerAssets } from './modules/settings/index.js';
import { keepWebhookBody } from './modules/subscriptions/index.js';
import { isBare, takesAnyQuery } from './openapi.js';
import { rateLimits } from './rate-limits.http.js';
import { webPages } from './web.http.js';

/** The Shell's HTTP face: REST under /api, Connect beside it, probes and metrics. It does not listen. */
export function buildApp(container: Container): express.Express {
  const { config, gateway, paymentPages, auditWatch } = container;
  return buildServiceApp({
    container,
    envelope: config.http.envelope,
    trustedProxies: config.http.trustedProxies,
    registerRoutes: RegisterRoutes,
    isBare,
    takesAnyQuery,
    keepBody: keepWebhookBody,
    first: gateway.hotPath, // before the log: it counts its decisions itself
    onRefusal: auditWatch.onRequest,
    pageOf: signInPage(config.http.publicUrl),
    beforeBodies: (app) => {
      app.use(auditScope);
      rpc(app, container);
      if (paymentPages) app.use(paymentPages.path, paymentPages.router);
      pages(app, container);
    },
    beforeRoutes: (app) => {
      rateLimits(app, container);
      explorer(app);
    },
  });
}

/** Where the front-end has not been built, as in the Shell's own API tests, there are no pages. */
function pages(app: express.Express, { appOrigins }: Container): void {
  const folder = packagePath(import.meta.dirname, 'web/dist');
  if (folder !== undefined) app.use(webPages({ folder, appOrigins }));
}

function rpc(app: express.Express, container: Container): void {
  app.use(
    connectRoutes(
      container.logger,
      (router) => {
        router.service(AppRegistry, appRegistryRpc(container.operatorRegistry, container.authorize, container.auditWatch.onRpc));
        router.service(AuthGateway, authGatewayRpc(container.gateway.exchanges, container.gateway.callers));
        router.service(RbacService, rbacRpc(container.gateway.rbac, container.gateway.authorizations, container.gateway.callers));
      },
      container.auditWatch.onRpc,
    ),
  );
}

function explorer(app: express.Express): void {
  app.get('/api/doc/explorer/start.js', (_request, response) => void response.type('js').send(EXPLORER_SCRIPT));
  app.use('/api/doc/explorer/assets', express.static(explorerAssets(), { index: false, maxAge: '1h' }));
}
