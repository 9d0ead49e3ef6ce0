import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { sampleRoutes } from './samples/index.js';

const LANDING = join(import.meta.dirname, '..', 'landing');

/** What the page may load: itself and nothing else. */
const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Everything on one origin: the landing page at `/`, the sample satellites below `/samples`, and the Shell, which
 * answers `/api` and everything nobody else knows.
 */
export function createSite(shell: RequestHandler, options: { platformUrl: string }): Express {
  const site = express();
  site.disable('x-powered-by');
  site.use('/samples', sampleRoutes(options));
  const landing = express.static(LANDING, { setHeaders: (response) => void response.set({ 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' }) });
  site.use(landing);
  site.use(shell);
  return site;
}
