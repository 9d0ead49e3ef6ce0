import { z } from 'zod';

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** Variables that say where objects are, without the keys to it. */
export const storagePlaceVariables = {
  APP_ENV_STORAGE: z.enum(['folder', 's3']).default('folder'),
  APP_ENV_STORAGE_FOLDER: z.string().min(1).optional(),
  APP_ENV_S3_ENDPOINT: address.optional(),
  APP_ENV_S3_PUBLIC_ENDPOINT: address.optional(),
  APP_ENV_S3_REGION: z.string().min(1).default('us-east-1'),
  APP_ENV_S3_BUCKET: z.string().min(3).optional(),
};
