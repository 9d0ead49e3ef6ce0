import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ValidateError } from '@tsoa/runtime';
import { AppError, InvalidFields, isAppError, messageOf, type ErrorKind } from '../core/index.js';
import type { Logger } from '../telemetry/index.js';
import { sendBare, wrapError, type Envelope, type ErrorInfo } from './envelope.js';
import { currentRequest } from './request-context.js';

/** Kind → status and public code; the Connect table is in kit/rpc. */
const ANSWERS: Record<ErrorKind, readonly [status: number, code: string]> = {
  invalid: [400, 'BAD_REQUEST'],
  invalid_fields: [400, 'VALIDATION_ERROR'],
  unauthenticated: [401, 'UNAUTHORIZED'],
  forbidden: [403, 'FORBIDDEN'],
  not_found: [404, 'NOT_FOUND'],
  method_not_allowed: [405, 'METHOD_NOT_ALLOWED'],
  conflict: [409, 'CONFLICT'],
  precondition_failed: [412, 'PRECONDITION_FAILED'],
  too_large: [413, 'PAYLOAD_TOO_LARGE'],
  unsupported_media_type: [415, 'UNSUPPORTED_MEDIA_TYPE'],
  range_not_satisfiable: [416, 'RANGE_NOT_SATISFIABLE'],
  unprocessable: [422, 'UNPROCESSABLE'],
  quota: [429, 'QUOTA_EXCEEDED'],
  rate_limited: [429, 'RATE_LIMITED'],
  unavailable: [503, 'UNAVAILABLE'],
  failed: [500, 'INTERNAL'], // somebody we depend on failed, and the interface says 500 for it
};

/** No such path. */
export class RouteNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'request.no_such_route';
}

/** The path exists, the method does not. */
export class MethodNotAllowed extends AppError {
  readonly kind = 'method_not_allowed';
  readonly code = 'request.method_not_allowed';
}

class UnreadableBody extends AppError {
  constructor(readonly kind: 'invalid' | 'too_large' | 'unsupported_media_type', readonly code: string, message: string) {
    super(message);
  }
}

export interface ErrorHandlerOptions {
  readonly envelope: Envelope;
  readonly logger: Logger;
  /** Hears of every refusal that a client gets, before it is sent; it must not throw or take long. */
  readonly onRefusal?: (request: Request, error: AppError, status: number) => void;
  /** Address of a page that says it, for requests whose answer a person would see as it is. */
  readonly pageOf?: (request: Request, error: AppError) => string | undefined;
}

/** The last handler: every error becomes one stable shape; what nobody expected is logged and answered 500 without detail. */
export function errorHandler({ envelope, logger, onRefusal, pageOf }: ErrorHandlerOptions): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    const requestId = currentRequest()?.requestId ?? '';
    const error = recognized(thrown);
    if (error === undefined) logger.error({ err: thrown, requestId, method: req.method, path: req.path }, 'unexpected error');
    if (res.headersSent) return next(thrown); // Express cuts the connection, so that a half answer is not taken for a whole one
    const [status, code] = error ? ANSWERS[error.kind] : ([500, 'INTERNAL'] as const);
    if (error) onRefusal?.(req, error, status);
    const page = error && pageOf?.(req, error);
    if (page !== undefined) return res.redirect(302, page);
    const info: ErrorInfo = {
      code,
      message: error?.message ?? 'Something went wrong on our side. The request id helps to find it.',
      requestId,
      ...(error && { details: { reason: error.code, ...error.details } }),
    };
    const { retryAfter } = (error ?? {}) as { retryAfter?: unknown };
    if (typeof retryAfter === 'number') res.setHeader('Retry-After', String(retryAfter)); // RFC 9110 section 10.2.3
    if (error?.kind === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
    send(req, res, status, info, envelope);
  };
}

function send(req: Request, res: Response, status: number, info: ErrorInfo, envelope: Envelope): void {
  res.status(status);
  if (req.accepts(['application/json', 'application/problem+json']) === 'application/problem+json') {
    // RFC 9457; the code stays the same one
    res.type('application/problem+json').send(JSON.stringify({ type: 'about:blank', title: info.code, status, detail: info.message, code: info.code, requestId: info.requestId, details: info.details }));
    return;
  }
  sendBare(res, wrapError(envelope, status, info));
}

/** Errors of the frameworks in our own words; undefined for what nobody expected. */
function recognized(thrown: unknown): AppError | undefined {
  if (isAppError(thrown)) return thrown;
  if (thrown instanceof ValidateError) return new InvalidFields(Object.entries(thrown.fields).map(([field, problem]) => ({ field: field.replace(/^(requestBody|body)\./, ''), message: readable(problem.message) })));
  if (thrown instanceof URIError) return new UnreadableBody('invalid', 'request.invalid_path', 'The path is not valid percent-encoding.');
  return bodyError(thrown);
}

/** tsoa quotes the whole rejected property; the name is enough. */
function readable(message: string): string {
  return message.replace(/^"(.*)" is an excess property and therefore is not allowed$/, 'is not a known field; remove it').slice(0, 300);
}

/** body-parser marks its errors by `type`. */
function bodyError(thrown: unknown): AppError | undefined {
  const type = (thrown as { type?: unknown } | undefined)?.type;
  switch (type) {
    case 'entity.too.large':
      return new UnreadableBody('too_large', 'request.body_too_large', 'The request body is too large.');
    case 'entity.parse.failed':
      return new UnreadableBody('invalid', 'request.body_not_json', `The request body is not valid JSON: ${messageOf(thrown).slice(0, 120)}`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new UnreadableBody('unsupported_media_type', 'request.encoding_unsupported', 'Send the body as UTF-8 JSON without content encoding.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new UnreadableBody('invalid', 'request.body_cut', 'The request body ended early.');
    default:
      return undefined;
  }
}

/**
 * Writes take JSON only: a form or text/plain post is what a foreign page can send without a preflight.
 * Bodies of other types are refused with 415 before anything reads them.
 */
export function jsonBodiesOnly(): RequestHandler {
  return (req, _res, next) => {
    const empty = req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
    if (empty || req.is(['application/json', 'application/*+json', 'application/proto'])) return next();
    next(new UnreadableBody('unsupported_media_type', 'request.not_json', 'Send the body as application/json.'));
  };
}
