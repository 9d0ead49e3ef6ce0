import type { Request, RequestHandler } from 'express';
import { singleLine } from '../core/index.js';
import { Counter, Histogram, type Logger, type Registry } from '../telemetry/index.js';
import { currentRequest } from './request-context.js';

/** One log line and one observation a request, written when it ends. */
export function observeRequests(logger: Logger, metrics: Registry): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  // What this line says is listed below and no secret is in it: looking for one would cost a seventh of a cheap request.
  const lines = logger.child({}, { redact: [] });
  const aborted = new Counter({ name: 'http_requests_aborted_total', help: 'Requests whose client left before the answer', registers: [metrics] });
  return (req, res, next) => {
    const start = process.hrtime.bigint();
    const context = currentRequest();
    res.on('close', () => {
      if (!res.writableFinished) aborted.inc();
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const route = routeOf(req);
      duration.observe({ method: req.method, route, status: String(res.statusCode) }, seconds);
      lines.info({ ...context, method: req.method, path: singleLine(req.path, 200), status: res.statusCode, ms: Math.round(seconds * 1e5) / 100 }, 'request');
    });
    next();
  };
}

/** The route's pattern, never the path: ids would make a series each. */
function routeOf(req: Request): string {
  const route = req.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'none';
}

/** `GET /metrics` in the Prometheus text format. */
export function metricsEndpoint(...registries: readonly Registry[]): RequestHandler {
  return (_req, res, next) => {
    Promise.all(registries.map((registry) => registry.metrics())).then((texts) => {
      res.type('text/plain; version=0.0.4; charset=utf-8').send(texts.join('\n'));
    }, next);
  };
}
