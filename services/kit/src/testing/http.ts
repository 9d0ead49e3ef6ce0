import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const;
type Method = (typeof METHODS)[number];

/** One function a method: `as(token).get('/api/x').expect(200)`. */
export type Requests = { readonly [M in Method]: (path: string) => request.Test };

/** A service that listens on the loopback interface. */
export class TestHttp {
  private constructor(private readonly server: Server) {}

  static async listen(app: RequestListener): Promise<TestHttp> {
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestHttp(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Requests as this bearer, or as nobody. */
  as(token?: string): Requests {
    const send = (method: Method) => (path: string) => {
      const sent = request(this.url)[method](path);
      return token === undefined ? sent : sent.set('authorization', `Bearer ${token}`);
    };
    return Object.fromEntries(METHODS.map((method) => [method, send(method)])) as unknown as Requests;
  }

  /** Cuts what is open. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
