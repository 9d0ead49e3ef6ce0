import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A way to a PostgreSQL server that can be cut like a cable or a network. */
export class Cuttable {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private silent = false;
  private closed = false;

  private constructor(
    private readonly server: Server,
    /** The database's address by this way. */
    readonly url: string,
  ) {}

  static async to(databaseUrl: string): Promise<Cuttable> {
    const target = new URL(databaseUrl);
    const host = decodeURIComponent(target.hostname);
    const port = Number(target.port || '5432');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const way = new URL(databaseUrl);
    way.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cuttable = new Cuttable(server, way.href);
    server.on('connection', (client) => cuttable.join(client, host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)));
    return cuttable;
  }

  private join(client: Socket, upstream: Socket): void {
    const pair = [client, upstream] as const;
    this.pairs.add(pair);
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      from.on('data', (chunk) => void (this.silent || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
    }
    if (this.closed) client.destroy();
  }

  /** Nothing passes any more, and nobody is told: a network that drops packets. */
  silence(): void {
    this.silent = true;
  }

  /** Connections break and new ones are refused: a server that died. */
  cut(): void {
    this.closed = true;
    for (const [client] of this.pairs) client.destroy();
    this.server.close();
  }

  /** Ends it for good, after tests. */
  stop(): void {
    if (!this.closed) this.cut();
  }
}
