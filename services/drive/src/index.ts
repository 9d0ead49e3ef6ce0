import { packagePath } from '@satellite/kit/config';

export { createDrive, openDatabase, type Drive } from './drive.js';
export { readConfig, type DriveConfig } from './env.js';

/** The SatelliteApp that registers Drive. */
export const MANIFEST = packagePath(import.meta.dirname, 'satelliteapp.yaml') ?? '';
