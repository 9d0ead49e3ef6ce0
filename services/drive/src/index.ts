export { createDrive, openDatabase, type Drive } from './drive.js';
export { readConfig, type DriveConfig } from './env.js';
