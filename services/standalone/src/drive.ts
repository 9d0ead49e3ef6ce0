import { join } from 'node:path';
import { createDrive, readConfig, type Drive } from '@satellite/drive';
import type { Redis } from '@satellite/kit/cache';
import type { Logger } from '@satellite/kit/telemetry';
import type { Secrets } from './secrets.js';

/** Id of the service client that Drive and the Shell are both told of. */
export const DRIVE_CLIENT = 'drive';

export interface DriveGiven {
  /** Of Drive's own database. */
  readonly databaseUrl: string;
  readonly redis: Redis;
  readonly logger: Logger;
  readonly secrets: Secrets;
  readonly dataFolder: string;
  readonly shellUrl: string;
  readonly publicUrl: string;
  readonly audience: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Drive in this process, as any satellite runs in its own: it knows the Shell by address and credentials only. */
export function startDrive({ databaseUrl, redis, logger, secrets, dataFolder, shellUrl, publicUrl, audience, options }: DriveGiven): Promise<Drive> {
  const config = readConfig({
    ...options,
    DATABASE_URL: databaseUrl,
    APP_ENV_PUBLIC_URL: `${publicUrl}/drive`,
    APP_ENV_SHELL_URL: shellUrl,
    APP_ENV_JWT_ISSUER: publicUrl,
    APP_ENV_JWT_AUDIENCE: audience,
    APP_ENV_CLIENT_ID: DRIVE_CLIENT,
    APP_ENV_CLIENT_SECRET: secrets.driveClientSecret,
    APP_ENV_LINK_KEYS: secrets.driveLinkKey,
    APP_ENV_STORAGE_FOLDER: options['APP_ENV_STORAGE_FOLDER'] ?? join(dataFolder, 'files'),
  });
  return createDrive(config, { redis, logger, processMetrics: false });
}
