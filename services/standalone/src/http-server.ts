import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { httpServer } from '@satellite/kit/service';
import { PortUnavailable } from './errors.js';

/** A server that holds its port from the first moment and serves the platform once that is there. */
export interface HttpServer {
  /** From now on this answers. */
  serve(handler: RequestListener): void;
  /** Answers what is under way, refuses what is new; cuts what takes longer than the grace. Safe to call twice. */
  close(force: boolean): Promise<void>;
}

const GRACE_MS = 3_000;

/** Takes the port before any heavy work, so that a taken one costs nobody a minute. */
export async function openHttpServer(port: number): Promise<HttpServer> {
  let handler: RequestListener = (_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' }).end('The platform is starting.\n');
  };
  const server = httpServer((request, response) => handler(request, response));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortUnavailable(port, reasonOf(error as NodeJS.ErrnoException));
  }
  return {
    serve: (next) => {
      handler = next;
    },
    close: async (force) => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), force ? 0 : GRACE_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'is taken by another program';
  if (error.code === 'EACCES') return 'may not be used without more rights';
  return `cannot be used (${error.message})`;
}
