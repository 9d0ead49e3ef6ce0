import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the front-end of the test satellite misbehaves. */
export type UiMode = 'ok' | 'not-found' | 'wrong-type' | 'no-cors' | 'huge' | 'hanging';
/** How its API misbehaves. */
export type ApiMode = 'ok' | 'no-openapi' | 'unhealthy' | 'hanging';

/** A real, tiny satellite on loopback: `/ui/remoteEntry.js`, `/api/health`, `/api/doc/openapi.json`. */
export class SatelliteServer {
  ui: UiMode = 'ok';
  api: ApiMode = 'ok';
  /** Operations of the OpenAPI document, by path. */
  paths: object = {};
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  private server: Server | undefined;
  private origin = '';

  async listen(): Promise<this> {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  get host(): string {
    return new URL(this.origin).host;
  }

  get uiUrl(): string {
    return `${this.origin}/ui`;
  }

  get apiUrl(): string {
    return `${this.origin}/api`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server?.close(() => resolve());
      this.server?.closeAllConnections();
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    if (path === '/ui/remoteEntry.js') return this.answerUi(response);
    if (path.startsWith('/api/')) return this.answerApi(path, response);
    response.writeHead(404).end();
  }

  private answerUi(response: ServerResponse): void {
    const cors = this.ui === 'no-cors' ? {} : { 'access-control-allow-origin': '*' };
    if (this.ui === 'hanging') return;
    if (this.ui === 'not-found') return void response.writeHead(404).end();
    if (this.ui === 'wrong-type') return void response.writeHead(200, { ...cors, 'content-type': 'text/html' }).end('<html></html>');
    const body = this.ui === 'huge' ? Buffer.alloc(6 * 1024 * 1024, 0x20) : 'export const App = () => null;\n';
    response.writeHead(200, { ...cors, 'content-type': 'text/javascript; charset=utf-8' }).end(body);
  }

  private answerApi(path: string, response: ServerResponse): void {
    if (this.api === 'hanging') return;
    if (path === '/api/health') return void response.writeHead(this.api === 'unhealthy' ? 503 : 200).end('{}');
    if (path === '/api/doc/openapi.json' && this.api !== 'no-openapi') {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ openapi: '3.0.0', info: { title: 'test', version: '1' }, paths: this.paths }));
    }
    response.writeHead(404).end();
  }
}
