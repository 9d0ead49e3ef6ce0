import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Slugs whose manifests were put there once; hidden, so that the operator does not read it. */
const PLACED = '.placed.json';

/**
 * The folder that the operator watches, with the manifests of what comes with the platform. Each is put there once:
 * whoever deletes one does not get it back, and a release that brings another satellite adds it to older folders.
 * @param manifests file of the manifest by slug
 */
export async function prepareSatellitesFolder(dataFolder: string, manifests: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(dataFolder, 'satellites');
  await mkdir(folder, { recursive: true });
  const placed = await readPlaced(join(folder, PLACED));
  for (const [slug, manifest] of Object.entries(manifests)) {
    if (placed.includes(slug)) continue;
    await copyWhole(manifest, join(folder, `${slug}.yaml`), folder);
    placed.push(slug);
    await writeWhole(join(folder, PLACED), JSON.stringify(placed), folder);
  }
  return folder;
}

async function readPlaced(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '[]';
  });
  return JSON.parse(text) as string[];
}

/** Renamed into place, so that a start cut short leaves no half of a manifest. */
async function copyWhole(from: string, to: string, folder: string): Promise<void> {
  await copyFile(from, join(folder, '.placing'));
  await rename(join(folder, '.placing'), to);
}

async function writeWhole(to: string, text: string, folder: string): Promise<void> {
  await writeFile(join(folder, '.placing'), text);
  await rename(join(folder, '.placing'), to);
}
