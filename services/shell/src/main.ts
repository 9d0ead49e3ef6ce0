import { migrateService, runService } from '@satellite/kit/service';
import { processEnvironment, readConfig } from './env.js';
import { createShell, openDatabase } from './shell.js';

runService(async () => {
  const config = readConfig(processEnvironment());
  const shell = await createShell(config);
  return { name: 'the Shell', logger: shell.container.logger, host: config.http.host, port: config.http.port, stopDelayMs: config.http.stopDelayMs, app: shell.app, drain: () => shell.drain(), close: () => shell.close() };
}, { migrate: () => migrateService({ name: 'shell', environment: processEnvironment(), openDatabase }) });
