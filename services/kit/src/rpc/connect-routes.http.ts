import type { ConnectRouter } from '@connectrpc/connect';
import { expressConnectMiddleware } from '@connectrpc/connect-express';
import type { RequestHandler } from 'express';
import type { Logger } from '../telemetry/index.js';
import { errorInterceptor } from './errors.js';

/** Bytes of a message; Connect's own limit is 4 GB. */
const MAX_MESSAGE = 1_048_576;

/** Connect services at `/api/<package>.<Service>/<Method>` (section 1, item 4 of the interface). */
export function connectRoutes(logger: Logger, routes: (router: ConnectRouter) => void, onError?: Parameters<typeof errorInterceptor>[1]): RequestHandler {
  return expressConnectMiddleware({
    requestPathPrefix: '/api',
    readMaxBytes: MAX_MESSAGE,
    jsonOptions: { alwaysEmitImplicit: true }, // proto3 JSON drops `false` and 0, which are answers here
    interceptors: [errorInterceptor(logger, onError)],
    routes,
  });
}
