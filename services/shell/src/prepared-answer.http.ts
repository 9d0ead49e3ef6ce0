import type express from 'express';
import { noneMatch } from '@satellite/kit/http';

/** An answer that is kept as bytes, envelope included. */
export interface PreparedAnswer {
  readonly body: Buffer;
  readonly entityTag: string;
}

/** Sends it, or 304 to who has it; the empty list is for the caller's type only, tsoa sends nothing once an answer has begun. */
export function sendPrepared(request: express.Request, { body, entityTag }: PreparedAnswer): [] {
  const response = request.res;
  if (response === undefined) throw new Error('the request has no response');
  response.setHeader('ETag', entityTag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Authorization');
  if (noneMatch(request.headers['if-none-match'], entityTag)) {
    response.status(304).end();
  } else {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(body);
  }
  return [];
}
