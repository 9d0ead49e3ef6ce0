import { randomBytes, randomInt } from 'node:crypto';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '@satellite/kit/core';
import { SecretsUnusable } from './errors.js';

const key = z.base64().refine((text) => Buffer.from(text, 'base64').length === 32);
const Secrets = z.object({
  adminPassword: z.string().min(8),
  keyEncryptionKey: key,
  operatorClientSecret: z.string().min(24),
  /** Of bundled satellites, by slug: `clientSecret` and what their module asks for. */
  satellites: z.record(z.string(), z.record(z.string(), z.string().min(24))).default({}),
});

export type Secrets = z.output<typeof Secrets>;

/** Without the letters and digits that people confuse. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * The secrets of this data folder, generated at the first start and kept beside the data, readable by the owner only.
 * @param hasData true when a database exists already: then missing secrets are an accident and not a first start
 */
export async function loadSecrets(folder: string, hasData: boolean): Promise<Secrets> {
  const file = join(folder, 'secrets.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) {
    if (hasData) throw new SecretsUnusable(file, 'is missing', folder);
    return createSecrets(file);
  }
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  return parseSecrets(file, text, folder);
}

/** The secrets of a satellite; made when it comes for the first time, or asks for one more. */
export async function secretsOfSatellite(folder: string, secrets: Secrets, { slug, keys = [] }: { readonly slug: string; readonly keys?: readonly string[] | undefined }): Promise<Readonly<Record<string, string>>> {
  const kept = secrets.satellites[slug] ?? {};
  const missing = ['clientSecret', ...keys].filter((name) => !(name in kept));
  const own = { ...kept, ...Object.fromEntries(missing.map((name) => [name, randomBytes(32).toString('base64')])) };
  if (missing.length > 0) {
    secrets.satellites[slug] = own;
    await write(join(folder, 'secrets.json'), secrets);
  }
  return own;
}

async function createSecrets(file: string): Promise<Secrets> {
  const secrets: Secrets = {
    adminPassword: Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join('')).join('-'),
    keyEncryptionKey: randomBytes(32).toString('base64'),
    operatorClientSecret: randomBytes(32).toString('base64url'),
    satellites: {},
  };
  await write(file, secrets);
  return secrets;
}

async function write(file: string, secrets: Secrets): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

function parseSecrets(file: string, text: string, folder: string): Secrets {
  try {
    return Secrets.parse(JSON.parse(text));
  } catch (error) {
    const fields = error instanceof z.ZodError ? error.issues.map((issue) => issue.path.join('.')).join(', ') : messageOf(error);
    throw new SecretsUnusable(file, `cannot be used (${fields})`, folder);
  }
}
