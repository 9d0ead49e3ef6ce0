import type { SatelliteModule } from '@satellite/kit/service';
import { createDrive } from './drive.js';
import { readConfig } from './env.js';

export { createDrive, openDatabase, type Drive } from './drive.js';
export { readConfig, type DriveConfig } from './env.js';

/** For the standalone platform, which runs Drive in its own process. */
export const satellite: SatelliteModule = { keys: ['APP_ENV_LINK_KEYS'], start: (environment, parts) => createDrive(readConfig(environment), parts) };
