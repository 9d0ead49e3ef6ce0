import { createServer } from 'node:http';
import { messageOf } from '@satellite/kit/core';
import { processEnvironment, readConfig } from './env.js';
import { createShell } from './shell.js';

/** Time for requests that run when the process is asked to stop. */
const DRAIN_MS = 20_000;

async function main(): Promise<void> {
  const config = readConfig(processEnvironment());
  const shell = await createShell(config);
  const { logger } = shell.container;
  const server = createServer(shell.app);
  server.listen(config.http.port, config.http.host, () => logger.info({ host: config.http.host, port: config.http.port }, 'the Shell listens'));
  const stop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    shell.drain();
    setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
    server.close(() => void shell.close().then(() => logger.info('stopped')));
    server.closeIdleConnections();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
