import express, { type Express, type RequestHandler } from 'express';
import { sampleRoutes } from './samples/index.js';

/** Everything on one origin: the sample satellites below `/samples`, and the Shell, which answers everything else. */
export function createSite(shell: RequestHandler, options: { platformUrl: string }): Express {
  const site = express();
  site.disable('x-powered-by');
  site.use('/samples', sampleRoutes(options));
  site.use(shell);
  return site;
}
