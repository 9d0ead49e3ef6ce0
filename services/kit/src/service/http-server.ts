import { createServer, type RequestListener, type Server } from 'node:http';

/** How long a connection may take; in milliseconds. */
export interface Patience {
  /** Without a single byte in either direction: whoever is silent for so long has gone. */
  readonly silent: number;
  /** For a whole request body: Node's 5 minutes cut a file of 100 MB that comes over a line of 2 Mbit/s. */
  readonly request: number;
}

const PATIENCE: Patience = { silent: 2 * 60_000, request: 60 * 60_000 };

/** Longer than load balancers keep idle connections (600 s at the clouds): they close first, so no request meets a connection that is just going. */
const KEEP_ALIVE_MS = 620_000;

/** The HTTP server of every service: headers within Node's minute, bodies of large files over slow lines, nobody who has fallen silent. */
export function httpServer(handler: RequestListener, { silent, request }: Patience = PATIENCE): Server {
  const server = createServer({ requestTimeout: request }, handler);
  server.timeout = silent;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}
