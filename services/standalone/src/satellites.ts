import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Redis } from '@satellite/kit/cache';
import type { RunningSatellite, SatelliteModule } from '@satellite/kit/service';
import type { Logger } from '@satellite/kit/telemetry';
import { parse } from 'yaml';
import { z } from 'zod';
import { SatelliteUnusable } from './errors.js';

const MANIFEST = 'satelliteapp.yaml';
const SERVICES = join(import.meta.dirname, '..', '..');

/** A satellite that comes with the platform: a folder with its code and its SatelliteApp. */
export interface BundledSatellite {
  readonly slug: string;
  readonly manifest: string;
  readonly module: SatelliteModule;
}

const Slug = z.object({ spec: z.object({ slug: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/) }) });
const Package = z.object({ exports: z.object({ '.': z.object({ development: z.string(), default: z.string() }) }) });

/**
 * Every service that has a SatelliteApp beside its package.json, and those in further folders. Nothing here names one:
 * a new satellite is a new folder.
 */
export async function findSatellites(folders: readonly string[]): Promise<BundledSatellite[]> {
  const manifests = [...globSync(join(SERVICES, '*', MANIFEST)), ...folders.map((folder) => resolve(folder, MANIFEST))].sort();
  return Promise.all(manifests.map(load));
}

async function load(manifest: string): Promise<BundledSatellite> {
  const folder = dirname(manifest);
  try {
    const { spec } = Slug.parse(parse(await readFile(manifest, 'utf8')));
    const entry = Package.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).exports['.'];
    // As Node.js would choose it: sources when this process runs from sources.
    const file = join(folder, import.meta.filename.endsWith('.ts') ? entry.development : entry.default);
    const { satellite } = (await import(pathToFileURL(file).href)) as { satellite?: SatelliteModule };
    if (typeof satellite?.start !== 'function') throw new Error(`${file} exports no "satellite"`);
    return { slug: spec.slug, manifest, module: satellite };
  } catch (error) {
    throw new SatelliteUnusable(folder, error as Error);
  }
}

export interface SatelliteGiven {
  readonly databaseUrl: string;
  readonly redis: Redis;
  readonly logger: Logger;
  /** Values of the satellite's keys, and its client's secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly storageFolder: string;
  readonly shellUrl: string;
  readonly publicUrl: string;
  readonly audience: string;
  /** Variables of this process, which the satellite takes its optional settings from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs a satellite here as it runs in a process of its own: it knows the Shell by address and credentials only. */
export function startSatellite({ slug, module }: BundledSatellite, given: SatelliteGiven): Promise<RunningSatellite> {
  const { databaseUrl, redis, logger, secrets, storageFolder, shellUrl, publicUrl, audience, environment } = given;
  const { clientSecret, ...keys } = secrets;
  return module.start(
    {
      APP_ENV_STORAGE_FOLDER: storageFolder,
      ...environment,
      ...keys,
      DATABASE_URL: databaseUrl,
      APP_ENV_PUBLIC_URL: `${publicUrl}/${slug}`,
      APP_ENV_SHELL_URL: shellUrl,
      APP_ENV_JWT_ISSUER: publicUrl,
      APP_ENV_JWT_AUDIENCE: audience,
      APP_ENV_APP_SLUG: slug,
      APP_ENV_CLIENT_ID: clientIdOf(slug),
      APP_ENV_CLIENT_SECRET: clientSecret,
    },
    { redis, logger, processMetrics: false },
  );
}

/** Id of the service client that the satellite and the Shell are both told of. */
export function clientIdOf(slug: string): string {
  return `${slug}-service`;
}
