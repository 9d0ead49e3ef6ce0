import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
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
  /** How long it goes on to serve after it was asked to stop, while those in front of it learn that it is not ready. */
  readonly stopDelayMs: number;
  drain(): void;
  close(): Promise<void>;
}

/** A service that listens. */
export interface Listening {
  readonly port: number;
  /** Says that it is not ready, serves for the delay, lets running requests end, closes the service. */
  stop(): Promise<void>;
}

/** Time for requests that run when the process is asked to stop. */
const DRAIN_MS = 20_000;
const IDLE_LOOK_MS = 50;

/** Work that a process does in place of serving, by the name it is called with. */
export type Commands = Readonly<Record<string, () => Promise<void>>>;

/**
 * The process of one service: starts it, listens, and on a signal stops it in order; with the name of a command
 * (`main.js migrate`) it does that and ends. What cannot start or fails says why and exits 1.
 */
export function runService(start: () => Promise<Runnable>, commands: Commands = {}): void {
  const [name] = process.argv.slice(2);
  chosen(name, start, commands, new StopSignal()).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

async function chosen(name: string | undefined, start: () => Promise<Runnable>, commands: Commands, signal: StopSignal): Promise<void> {
  if (name === undefined) return serve(start, signal);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Error(`There is no command ${name}; without one the service is started. Commands: ${Object.keys(commands).join(', ') || 'none'}`);
  return command();
}

async function serve(start: () => Promise<Runnable>, signal: StopSignal): Promise<void> {
  const service = await start();
  const listening = await listen(service);
  signal.handle((name) => {
    service.logger.info({ signal: name }, 'stopping');
    void listening.stop().then(() => service.logger.info('stopped'));
  });
}

/** SIGTERM or SIGINT, the first of them. Until somebody says what to do then it ends the process: nobody is served yet, and a migration is whole or not at all. */
class StopSignal {
  private stop: (name: string) => void = () => process.exit(0);

  constructor() {
    let asked = false;
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (!asked) this.stop(name);
        asked = true;
      });
    }
  }

  /** What happens instead from now on. */
  handle(stop: (name: string) => void): void {
    this.stop = stop;
  }
}

/** Serves until it is stopped; `wait` passes the delay. */
export async function listen({ name, app, logger, host, port, stopDelayMs, drain, close }: Runnable, wait: (ms: number) => Promise<unknown> = pause): Promise<Listening> {
  let stopping = false;
  const server = httpServer((request, response) => (stopping ? leave(app, request, response) : app(request, response)));
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  logger.info({ host, port: bound }, `${name} listens`);
  return {
    port: bound,
    stop: async () => {
      stopping = true;
      drain();
      await wait(stopDelayMs);
      const closed = once(server, 'close');
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS); // some fall idle only now, and clients would keep them
      server.close();
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      await close();
    },
  };
}

/** On the way out: probes hear it, and whoever keeps a connection open is asked to make the next one elsewhere. */
function leave(app: RequestListener, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  if (request.url === '/readyz') response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' }).end('stopping\n');
  else app(request, response);
}
