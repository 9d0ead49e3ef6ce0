import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webFiles, wantsPage } from '@satellite/kit/http';
import express from 'express';

export interface WebOptions {
  /** The built front-end. */
  readonly folder: string;
  /** Origins, other than the platform's own, from which registered apps are loaded. */
  readonly appOrigins: () => Promise<readonly string[]>;
}

/**
 * The Shell's page at every address that is not the API's: its router knows which exist. Each answer has a fresh
 * nonce, and a policy that lets in what the registry names and nothing else.
 */
export function webPages({ folder, appOrigins }: WebOptions): express.Router {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const router = express.Router();
  router.use(webFiles(folder));
  router.use((request, response, next) => {
    if (!wantsPage(request) || /^\/(api|livez|readyz|metrics)(\/|$)/.test(request.path)) return next();
    appOrigins().then((origins) => {
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('Content-Security-Policy', policy(nonce, origins)).setHeader('Cache-Control', 'no-store').setHeader('Referrer-Policy', 'same-origin');
      response.type('html').send(page.replaceAll('__NONCE__', nonce));
    }, next);
  });
  return router;
}

/** Remotes run in this page, so their origins may do what the platform's own may. */
function policy(nonce: string, origins: readonly string[]): string {
  const apps = origins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'self'", `script-src 'self' 'nonce-${nonce}'${apps}`, `style-src 'self' 'nonce-${nonce}'${apps}`, "style-src-attr 'unsafe-inline'", `img-src 'self' data: blob:${apps}`, `media-src 'self' blob:${apps}`, `font-src 'self'${apps}`,
    `connect-src 'self'${apps}`, `frame-src 'self' blob:${apps}`, "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
  ].join('; ');
}
