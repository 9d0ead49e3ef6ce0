import type express from 'express';

export const WEBHOOK_PATH = '/api/subscriptions/webhook';
const BODIES = new WeakMap<object, Buffer>();

/** For express.json: keeps the bytes that a webhook's signature is about; parsed and written again they would be others. */
export function keepWebhookBody(request: object, _response: object, body: Buffer): void {
  if ((request as express.Request).originalUrl.split('?')[0] === WEBHOOK_PATH) BODIES.set(request, body);
}

/** The bytes of a webhook; undefined when there were none. */
export function rawBodyOf(request: express.Request): Buffer | undefined {
  return BODIES.get(request);
}
