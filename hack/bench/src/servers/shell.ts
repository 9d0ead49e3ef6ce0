// The real Shell over HTTP, on the database that the environment names and an in-process Redis.
import { createServer } from 'node:http';
import { createEmbeddedRedis } from '@satellite/kit/embedded';
import { createShell, readConfig } from '@satellite/shell';
import { processEnvironment } from '../env.js';

const config = readConfig(processEnvironment());
const redis = await createEmbeddedRedis();
const shell = await createShell(config, { redis });
const server = createServer(shell.app).listen(config.http.port, config.http.host);

process.once('SIGTERM', () => {
  server.close(() => void shell.close().then(() => process.exit(0)));
  server.closeAllConnections();
});
