import { STATUS_CODES } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Page, Rows } from '../core/index.js';

/** Envelope variants of section 4.1 of the interface: A code/data/messageError, B data/message, C bare. */
export const ENVELOPES = ['A', 'B', 'C'] as const;
/** `satellite`: `{ data }`, lists with their `total` beside it, errors as in B. */
export type Envelope = (typeof ENVELOPES)[number] | 'satellite';

/** An error as it is sent; the envelope leaves it alone or reshapes it. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A successful payload in the deployment's envelope. */
export function wrapPayload(variant: Envelope, status: number, payload: unknown): unknown {
  const data = payload instanceof Page ? payload.items : payload instanceof Rows ? payload.rows : payload;
  if (variant === 'satellite') return { data, ...(payload instanceof Page && { total: payload.pagination.total }), ...(payload instanceof Rows && { total: payload.total }) };
  const beside = payload instanceof Page ? { pagination: payload.pagination } : {};
  if (variant === 'A') return { code: status, data, ...beside };
  if (variant === 'B') return { data, message: STATUS_CODES[status] ?? 'OK', ...beside };
  return data;
}

/** An error in the deployment's envelope. */
export function wrapError(variant: Envelope, status: number, error: ErrorInfo): unknown {
  if (variant === 'A') return { code: status, data: { code: error.code, requestId: error.requestId, ...(error.details && { details: error.details }) }, messageError: error.message };
  return variant === 'C' ? error : { error };
}

/** Paths that are always bare: their shapes are other people's standards. */
export type IsBare = (path: string) => boolean;

/**
 * Puts every `res.json` of a successful answer into the envelope and adds the paging headers, so that controllers
 * return payloads only. Errors are sent by the error handler through `sendBare`.
 */
export function envelope(variant: Envelope, isBare: IsBare): RequestHandler {
  return (req, res, next) => {
    if (isBare(req.path)) return next();
    const send = res.json.bind(res);
    res.json = (payload: unknown) => {
      if (res.locals['bare'] === true) return send(payload);
      if (payload instanceof Page) setPagingHeaders(req, res, payload);
      return send(wrapPayload(variant, res.statusCode, payload));
    };
    next();
  };
}

/** Sends a body as it is, outside the envelope. */
export function sendBare(res: Response, body: unknown): void {
  res.locals['bare'] = true;
  res.json(body);
}

/** `X-Total-Count` and `Link` (RFC 8288) of a page. */
function setPagingHeaders(req: Request, res: Response, { pagination }: Page<unknown>): void {
  const last = Math.max(1, Math.ceil(pagination.total / pagination.limit));
  const link = (page: number, rel: string): string => {
    const query = new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
    query.set('page', String(page));
    query.set('limit', String(pagination.limit));
    return `<${req.originalUrl.split('?')[0] ?? ''}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [link(1, 'first'), link(last, 'last')];
  if (pagination.page > 1) links.push(link(Math.min(pagination.page - 1, last), 'prev'));
  if (pagination.page < last) links.push(link(pagination.page + 1, 'next'));
  res.setHeader('X-Total-Count', String(pagination.total));
  res.setHeader('Link', links.join(', '));
}
