import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that exists before what it leads to: webhooks need one before the Shell has a port. */
export class Relay {
  target = '';
  /** Answer 500 instead of passing on, this often. */
  refuse = 0;
  readonly passed: { readonly body: string; readonly signature: string }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void relay.pass(Buffer.concat(chunks).toString(), String(request.headers['payment-signature'])).then((status) => response.writeHead(status).end(), () => response.writeHead(502).end()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(body: string, signature: string): Promise<number> {
    if (this.refuse > 0) {
      this.refuse -= 1;
      return 500;
    }
    this.passed.push({ body, signature });
    return (await fetch(`${this.target}/api/subscriptions/webhook`, { method: 'POST', headers: { 'content-type': 'application/json', 'payment-signature': signature }, body })).status;
  }
}
