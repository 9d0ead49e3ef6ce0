import type { RequestListener } from 'node:http';
import { connectShell } from '@satellite/kit/auth';
import { Database } from '@satellite/kit/db';
import { openService, type HostParts, type Service } from '@satellite/kit/service';
import { openStore } from '@satellite/kit/storage';
import type { Logger } from '@satellite/kit/telemetry';
import { migrations } from '../migrations/index.js';
import manifest from '../package.json' with { type: 'json' };
import { buildApp } from './app.js';
import { buildContainer, type Container } from './container.js';
import type { DriveConfig } from './env.js';
import { FileSchema } from './modules/files/index.js';
import { FolderSchema } from './modules/folders/index.js';
import { DriveUserSchema } from './modules/users/index.js';

export type Drive = Service<RequestListener, Container>;

/** Connection to Drive's database, with its entities and migrations. */
export function openDatabase(url: string, logger?: Logger): Database {
  return Database.open({ url, service: 'drive', entities: [DriveUserSchema, FolderSchema, FileSchema], migrations, ...(logger && { logger }) });
}

/** Connects, migrates and answers a Drive that is ready to serve. It answers below the path of its public URL, and at the root. */
export function createDrive(config: DriveConfig, parts: HostParts = {}): Promise<Drive> {
  return openService<RequestListener, Container>(
    {
      name: 'drive',
      redisUrl: config.redis.url,
      logLevel: config.logLevel,
      openDatabase: (logger) => openDatabase(config.database.url, logger),
      buildContainer: (given) => buildContainer({ ...given, config, store: openStore(config.storage), shell: connectShell({ ...config.shell, logger: given.logger }), version: manifest.version }),
      buildApp,
    },
    parts,
  );
}
