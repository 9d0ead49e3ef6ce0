// The real Drive over HTTP, on the database, the folder and the Shell that the environment names, and an in-process Redis.
import { createServer } from 'node:http';
import { createDrive, readConfig } from '@satellite/drive';
import { createEmbeddedRedis } from '@satellite/kit/embedded';
import { processEnvironment } from '../env.js';

const config = readConfig(processEnvironment());
const drive = await createDrive(config, { redis: await createEmbeddedRedis() });
const server = createServer(drive.app).listen(config.http.port, config.http.host);

process.once('SIGTERM', () => {
  server.close(() => void drive.close().then(() => process.exit(0)));
  server.closeAllConnections();
});
