import type express from 'express';
import type { ClientInfo } from './sessions.service.js';

/** Where a request comes from, as far as its headers and the trusted proxies tell. */
export function clientOf(request: express.Request): ClientInfo {
  return { userAgent: request.header('user-agent') ?? '', address: request.ip ?? '' };
}
