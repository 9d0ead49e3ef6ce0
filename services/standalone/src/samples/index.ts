import { join } from 'node:path';
import express, { Router } from 'express';
import { helloApi } from './hello.js';
import { statusBoardApi, type SampleOptions } from './status-board.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'samples');

const APIS: Readonly<Record<string, (options: SampleOptions) => Router>> = { hello: helloApi, 'status-board': statusBoardApi };

/** Serves each sample as a satellite is served: its API below `/<slug>/api`, its front-end below `/<slug>/ui`. */
export function sampleRoutes(options: SampleOptions): Router {
  const router = Router();
  for (const [slug, api] of Object.entries(APIS)) {
    const files = join(FOLDER, slug);
    router.get(`/${slug}/api/doc/openapi.json`, (_request, response) => response.sendFile(join(files, 'openapi.json')));
    router.use(`/${slug}/api`, api(options), (_request, response) => void response.status(404).json({ error: { code: 'not_found', message: 'There is no such route; see doc/openapi.json.' } }));
    router.use(`/${slug}/ui`, express.static(join(files, 'ui'), { setHeaders: (response) => void response.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }) }));
  }
  return router;
}

/** Manifests of the samples by their slug. */
export const SAMPLE_MANIFESTS: Readonly<Record<string, string>> = Object.fromEntries(Object.keys(APIS).map((slug) => [slug, join(FOLDER, slug, 'manifest.yaml')]));
