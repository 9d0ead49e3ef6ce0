import type { RequestListener } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { sampleRoutes } from './samples/index.js';

/** Everything on one origin, and what is added while the platform starts. */
export interface Site {
  readonly handler: Express;
  /** From now on this satellite answers everything below `/<slug>`. */
  mount(slug: string, satellite: RequestListener): void;
}

/** The sample satellites below `/samples`, bundled ones below their slug, and the Shell, which answers everything else. */
export function createSite(shell: RequestHandler, options: { platformUrl: string; bundled: readonly string[] }): Site {
  const handler = express();
  const mounted = new Map<string, RequestListener>();
  handler.disable('x-powered-by');
  handler.use('/samples', sampleRoutes(options));
  for (const slug of options.bundled) {
    handler.use(`/${slug}`, (request, response) => {
      const satellite = mounted.get(slug);
      if (satellite) satellite(request, response);
      else response.status(503).set('retry-after', '1').json({ error: { code: 'UNAVAILABLE', message: `${slug} is starting. Try again in a second.` } });
    });
  }
  handler.use(shell);
  return { handler, mount: (slug, satellite) => void mounted.set(slug, satellite) };
}
