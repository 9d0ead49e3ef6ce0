import { migrateService, runService } from '@satellite/kit/service';
import { prepareStore } from '@satellite/kit/storage';
import { createDrive, openDatabase } from './drive.js';
import { processEnvironment, readConfig } from './env.js';

runService(async () => {
  const config = readConfig(processEnvironment());
  const drive = await createDrive(config);
  return { name: 'Drive', logger: drive.container.logger, host: config.http.host, port: config.http.port, stopDelayMs: config.http.stopDelayMs, app: drive.app, drain: () => drive.drain(), close: () => drive.close() };
}, { migrate: () => migrateService({ name: 'drive', environment: processEnvironment(), openDatabase, prepare: () => prepareStore(processEnvironment()) }) });
