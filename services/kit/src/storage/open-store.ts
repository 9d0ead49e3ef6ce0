import { z } from 'zod';
import { readEnvironment, storagePlaceVariables } from '../config/index.js';
import { FolderStore } from './folder-store.js';
import type { ObjectStore } from './object-store.js';
import { S3Store } from './s3-store.js';

/** Variables that say where objects are; a service spreads them into its own schema. */
export const storageVariables = {
  ...storagePlaceVariables,
  APP_ENV_S3_ACCESS_KEY: z.string().min(3).optional(),
  APP_ENV_S3_SECRET_KEY: z.string().min(8).optional(),
};

export type StorageVariables = z.output<z.ZodObject<typeof storageVariables>>;

const NEEDED = { folder: ['APP_ENV_STORAGE_FOLDER'], s3: ['APP_ENV_S3_ENDPOINT', 'APP_ENV_S3_BUCKET', 'APP_ENV_S3_ACCESS_KEY', 'APP_ENV_S3_SECRET_KEY'] } as const;

/** Names what the chosen store lacks; for `superRefine` of the service's schema. */
export function checkStorage(env: StorageVariables, context: z.RefinementCtx): void {
  for (const name of NEEDED[env.APP_ENV_STORAGE]) {
    if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: `is required with APP_ENV_STORAGE=${env.APP_ENV_STORAGE}` });
  }
}

/** The store that checked variables name. */
export function openStore(env: StorageVariables): ObjectStore {
  return env.APP_ENV_STORAGE === 'folder' ? new FolderStore(env.APP_ENV_STORAGE_FOLDER ?? '') : s3Of(env);
}

/** Makes the bucket that the variables name unless it exists; without such variables there is nothing to make. */
export async function prepareStore(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = readEnvironment(z.object(storageVariables).superRefine(checkStorage), { APP_ENV_STORAGE_FOLDER: '-', ...environment });
  if (env.APP_ENV_STORAGE === 's3') await s3Of(env).prepare();
}

function s3Of(env: StorageVariables): S3Store {
  return new S3Store({
    endpoint: env.APP_ENV_S3_ENDPOINT ?? '',
    publicEndpoint: env.APP_ENV_S3_PUBLIC_ENDPOINT,
    region: env.APP_ENV_S3_REGION,
    bucket: env.APP_ENV_S3_BUCKET ?? '',
    accessKey: env.APP_ENV_S3_ACCESS_KEY ?? '',
    secretKey: env.APP_ENV_S3_SECRET_KEY ?? '',
  });
}
