import { createServer, request as plainRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';

/** What the proxy does to a request instead of passing it on; undefined passes it on. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => true | undefined;
/** What an answer goes through on its way back; undefined leaves it as it is. It may also end the connection. */
export type Treatment = (request: IncomingMessage, response: ServerResponse) => Transform | undefined;

/** Stands between operator and API server (or Shell) and plays the accidents of a network and of a busy server. */
export class FaultProxy {
  fault: Fault = () => undefined;
  treat: Treatment = () => undefined;
  /** Every request reaches the API server so much later. */
  delayMs = 0;
  /** Answers come in pieces of so many bytes, a millisecond apart. */
  pieceBytes: number | undefined;
  readonly requests: string[] = [];
  private readonly watches = new Set<ServerResponse>();
  private server: Server | undefined;

  constructor(private readonly target: string) {}

  async listen(): Promise<string> {
    this.server = createServer((request, response) => void this.pass(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Watches that are open now. */
  get openWatches(): number {
    return this.watches.size;
  }

  /** Cuts every open watch in the middle of the stream. */
  cutWatches(): number {
    const { size } = this.watches;
    for (const response of this.watches) response.destroy();
    return size;
  }

  /** Every open watch goes silent without an end: the other side of a connection that a firewall has forgotten. */
  silenceWatches(): number {
    const { size } = this.watches;
    for (const response of this.watches) {
      response.write = () => true;
      response.end = () => response;
    }
    return size;
  }

  /** Sends a line into every open watch, as the API server would. */
  sayInWatches(line: object): void {
    for (const response of this.watches) response.write(`${JSON.stringify(line)}\n`);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server?.close(() => resolve());
      this.server?.closeAllConnections();
    });
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    if (this.fault(request, response)) return;
    if (this.delayMs > 0) await later(this.delayMs);
    const send = this.target.startsWith('https:') ? secureRequest : plainRequest;
    const outgoing = send(`${this.target}${request.url}`, { method: request.method, headers: request.headers, rejectUnauthorized: false, agent: false }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      if (request.url?.includes('watch=true')) {
        this.watches.add(response);
        // Headers must not wait for the first event.
        response.flushHeaders();
        response.once('close', () => {
          this.watches.delete(response);
          incoming.destroy();
        });
      }
      const treatment = this.treat(request, response) ?? (this.pieceBytes === undefined ? undefined : inPieces(this.pieceBytes));
      (treatment ? incoming.pipe(treatment) : incoming).pipe(response);
      treatment?.once('error', () => response.destroy());
      incoming.once('error', () => response.destroy());
    });
    outgoing.once('error', () => response.destroy());
    request.pipe(outgoing);
  }
}

/** Hands on what it gets in small pieces, without regard to lines or characters. */
export function inPieces(bytes: number): Transform {
  const pieces = async (into: Transform, chunk: Buffer): Promise<void> => {
    for (let at = 0; at < chunk.length; at += bytes) {
      into.push(chunk.subarray(at, at + bytes));
      await later(1);
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pieces(this, chunk).then(() => done(), done);
    },
  });
}
