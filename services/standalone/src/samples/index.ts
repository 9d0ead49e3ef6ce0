import { copyFile, mkdtemp, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import express, { Router } from 'express';
import { helloApi } from './hello.js';
import { statusBoardApi, type SampleOptions } from './status-board.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'samples');

const APIS: Readonly<Record<string, (options: SampleOptions) => Router>> = { hello: helloApi, 'status-board': statusBoardApi };

/** Slugs of the satellites that come with the standalone platform. */
export const SAMPLES: readonly string[] = Object.keys(APIS);

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

/**
 * The folder that the operator watches. Made with the samples at the first start only: whoever deletes a sample does
 * not get it back. Renamed into place, so that a start cut short does not leave a part of it.
 */
export async function createSatellitesFolder(dataFolder: string, slugs: readonly string[]): Promise<string> {
  const folder = join(dataFolder, 'satellites');
  if (await stat(folder).then(() => true, () => false)) return folder;
  const draft = await mkdtemp(join(dataFolder, 'satellites-'));
  for (const slug of slugs) await copyFile(join(FOLDER, slug, 'manifest.yaml'), join(draft, `${slug}.yaml`));
  await rename(draft, folder);
  return folder;
}
