import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from '@satellite/kit/telemetry';

export interface HealthOptions {
  readonly host: string;
  readonly port: number;
  /** What is wrong so that the process should be restarted; undefined while all is well. */
  readonly unhealthy: () => string | undefined;
  readonly ready: () => boolean;
  readonly metrics: Registry;
}

/** /livez, /readyz and /metrics, for whoever watches the process. */
export class HealthServer {
  private readonly server: Server;

  constructor(private readonly options: HealthOptions) {
    this.server = createServer((request, response) => {
      this.answer(request.url ?? '').then(
        ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
        () => response.writeHead(500).end(),
      );
    });
  }

  /** Answers the port it listens on. */
  async start(): Promise<number> {
    await new Promise<void>((resolve, reject) => this.server.once('error', reject).listen(this.options.port, this.options.host, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(path: string): Promise<{ readonly status: number; readonly type: string; readonly body: string }> {
    const { unhealthy, ready, metrics } = this.options;
    const text = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body: `${body}\n` });
    switch (path.split('?')[0]) {
      case '/livez': {
        const problem = unhealthy();
        return problem === undefined ? text(200, 'ok') : text(503, problem);
      }
      case '/readyz':
        return ready() ? text(200, 'ok') : text(503, 'the objects are not known yet');
      case '/metrics':
        return { status: 200, type: metrics.contentType, body: await metrics.metrics() };
      default:
        return text(404, 'not found; there are /livez, /readyz and /metrics');
    }
  }
}
