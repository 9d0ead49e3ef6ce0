import { runService } from '@satellite/kit/service';
import { createDrive } from './drive.js';
import { processEnvironment, readConfig } from './env.js';

runService(async () => {
  const config = readConfig(processEnvironment());
  const drive = await createDrive(config);
  return { name: 'Drive', logger: drive.container.logger, host: config.http.host, port: config.http.port, stopDelayMs: config.http.stopDelayMs, app: drive.app, drain: () => drive.drain(), close: () => drive.close() };
});
