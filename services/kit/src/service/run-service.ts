import type { RequestListener } from 'node:http';
import { messageOf } from '../core/index.js';
import type { Logger } from '../telemetry/index.js';
import { httpServer } from './http-server.js';

/** What a process needs of a service to run it. */
export interface Runnable {
  readonly name: string;
  readonly app: RequestListener;
  readonly logger: Logger;
  readonly host: string;
  readonly port: number;
  drain(): void;
  close(): Promise<void>;
}

/** Time for requests that run when the process is asked to stop. */
const DRAIN_MS = 20_000;

/** The process of one service: starts it, listens, and on a signal lets running requests end. A service that cannot start says why and exits 1. */
export function runService(start: () => Promise<Runnable>): void {
  serve(start).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

async function serve(start: () => Promise<Runnable>): Promise<void> {
  const service = await start();
  const { name, app, logger, host, port } = service;
  const server = httpServer(app);
  server.listen(port, host, () => logger.info({ host, port }, `${name} listens`));
  const stop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    service.drain();
    setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
    server.close(() => void service.close().then(() => logger.info('stopped')));
    server.closeIdleConnections();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
