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
  driveClientSecret: z.string().min(24),
  driveLinkKey: key,
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
  const kept = readObject(file, text, folder);
  if ('driveClientSecret' in kept) return parseSecrets(file, kept, folder);
  const secrets = parseSecrets(file, { ...kept, ...driveSecrets() }, folder);
  await write(file, secrets);
  return secrets;
}

async function createSecrets(file: string): Promise<Secrets> {
  const secrets: Secrets = {
    adminPassword: Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join('')).join('-'),
    keyEncryptionKey: randomBytes(32).toString('base64'),
    operatorClientSecret: randomBytes(32).toString('base64url'),
    ...driveSecrets(),
  };
  await write(file, secrets);
  return secrets;
}

/** Nothing that exists depends on them before Drive has run, so folders of a release without Drive get them too. */
function driveSecrets(): Pick<Secrets, 'driveClientSecret' | 'driveLinkKey'> {
  return { driveClientSecret: randomBytes(32).toString('base64url'), driveLinkKey: randomBytes(32).toString('base64') };
}

async function write(file: string, secrets: Secrets): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

function readObject(file: string, text: string, folder: string): object {
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch (error) {
    throw new SecretsUnusable(file, `cannot be used (${messageOf(error)})`, folder);
  }
}

function parseSecrets(file: string, kept: object, folder: string): Secrets {
  const parsed = Secrets.safeParse(kept);
  if (parsed.success) return parsed.data;
  throw new SecretsUnusable(file, `cannot be used (${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')})`, folder);
}
