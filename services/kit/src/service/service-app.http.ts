import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Database } from '../db/index.js';
import { envelope, errorHandler, jsonBodiesOnly, knownParametersOnly, metricsEndpoint, observeRequests, requestContext, unknownRoute, type Envelope, type ErrorHandlerOptions, type OpenApiDocument } from '../http/index.js';
import type { Logger, Registry } from '../telemetry/index.js';

export interface ServiceAppOptions {
  /** Becomes `app.locals.container`. */
  readonly container: { readonly db: Database; readonly logger: Logger; readonly metrics: Registry; readonly openapi: OpenApiDocument };
  readonly envelope: Envelope;
  /** Proxies whose X-Forwarded-For counts. */
  readonly trustedProxies: string[];
  /** Path below which the service is reachable besides its root, for example `/drive`. */
  readonly pathPrefix?: string;
  readonly registerRoutes: (app: Express) => void;
  /** Paths below /api that answer without an envelope. */
  readonly isBare?: (path: string) => boolean;
  /** Paths that take query parameters of other people. */
  readonly takesAnyQuery?: (path: string) => boolean;
  /** Requests whose body is not JSON and is read by their controller. */
  readonly readsOwnBody?: (request: Request) => boolean;
  /** Sees the bytes of a JSON body. */
  readonly keepBody?: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
  /** Hears of every refusal that a client gets. */
  readonly onRefusal?: ErrorHandlerOptions['onRefusal'];
  /** Where a person is sent instead of seeing an error as it is. */
  readonly pageOf?: ErrorHandlerOptions['pageOf'];
  /** Answers before anything is logged. */
  readonly first?: RequestHandler;
  /** Mounted before bodies have to be JSON: Connect, pages, forms. */
  readonly beforeBodies?: (app: Express) => void;
  /** Mounted before the routes: rate limits, assets. */
  readonly beforeRoutes?: (app: Express) => void;
}

const MAX_BODY = '256kb';
const NEVER = (): boolean => false;

/** The HTTP face of a service: REST under /api, probes and metrics, and what the service adds. It does not listen. */
export function buildServiceApp(options: ServiceAppOptions): Express {
  const { container, isBare = NEVER, takesAnyQuery = NEVER } = options;
  const { logger, metrics, openapi } = container;
  const app = express();
  app.locals['container'] = container;
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').set('trust proxy', options.trustedProxies);
  app.use(requestContext());
  if (options.pathPrefix !== undefined && options.pathPrefix !== '/') app.use(withoutPrefix(options.pathPrefix));
  if (options.first) app.use(options.first);
  app.use(observeRequests(logger, metrics));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } }));
  probes(app, container);
  options.beforeBodies?.(app);
  bodies(app, options);
  app.use(envelope(options.envelope, isBare));
  options.beforeRoutes?.(app);
  app.use('/api', knownParametersOnly(openapi, takesAnyQuery));
  options.registerRoutes(app);
  app.use('/api', unknownRoute(openapi));
  app.use(errorHandler({ envelope: options.envelope, logger, ...(options.onRefusal && { onRefusal: options.onRefusal }), ...(options.pageOf && { pageOf: options.pageOf }) }));
  return app;
}

/** Behind one origin with others a service has a path of its own; what is below does not need to know. */
function withoutPrefix(prefix: string): RequestHandler {
  return (request, _response, next) => {
    if (request.url.startsWith(`${prefix}/`)) request.url = request.url.slice(prefix.length);
    next();
  };
}

function bodies(app: Express, { readsOwnBody = NEVER, keepBody }: ServiceAppOptions): void {
  const [onlyJson, parse] = [jsonBodiesOnly(), express.json({ limit: MAX_BODY, strict: true, ...(keepBody && { verify: keepBody }) })];
  app.use('/api', unless(readsOwnBody, onlyJson), unless(readsOwnBody, parse), (request, _response, next) => {
    request.body ??= {}; // Express 5 leaves it undefined; the generated routes read it
    next();
  });
}

const unless = (excepted: (request: Request) => boolean, handler: RequestHandler): RequestHandler => (request, response, next) => (excepted(request) ? next() : handler(request, response, next));

/** /livez: this process turns; /readyz: it can answer, so the database is there. */
function probes(app: Express, { db, metrics }: ServiceAppOptions['container']): void {
  app.get('/livez', (_request, response) => void response.type('text').send('ok\n'));
  app.get('/readyz', (_request, response, next) => {
    db.isUp().then((up) => void response.status(up ? 200 : 503).type('text').send(up ? 'ok\n' : 'the database is away\n'), next);
  });
  app.get('/metrics', notThroughAProxy, metricsEndpoint(metrics));
}

/** What proxies add; one of them may be taken off by a client that names it in `Connection`. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** An ingress passes every path on; what it passes on comes from outside, and there figures are nobody's business. */
const notThroughAProxy: RequestHandler = (request, response, next) => {
  if (!PROXY_HEADERS.some((name) => name in request.headers)) next();
  else response.status(404).type('text').send('not found\n');
};
