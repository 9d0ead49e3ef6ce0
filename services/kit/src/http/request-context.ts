import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

export interface RequestContext {
  /** Sent as `x-request-id` with every answer and written with every log line. */
  readonly requestId: string;
  /** W3C trace id of the caller, when one was sent. */
  readonly traceId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The request this code runs for; undefined in background work. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** Gives every request an id (the caller's when it is well-formed) and honours `traceparent` (W3C Trace Context). */
export function requestContext(): RequestHandler {
  return (req, res, next) => {
    const given = req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    req.headers['x-request-id'] = requestId; // RPC handlers see headers only
    const traceId = TRACEPARENT.exec(req.header('traceparent') ?? '')?.[1];
    res.setHeader('x-request-id', requestId);
    storage.run(traceId === undefined ? { requestId } : { requestId, traceId }, next);
  };
}
