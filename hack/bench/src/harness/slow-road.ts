import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands before a server on loopback and hands on what is sent to it only after so many milliseconds, as a network of that length would. */
export class SlowRoad {
  private constructor(
    readonly url: string,
    private readonly sockets: Set<Socket>,
    private readonly stopListening: () => void,
  ) {}

  static async to(target: string, delayMs: number): Promise<SlowRoad> {
    const { hostname: host, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect({ host, port: Number(port) });
      for (const socket of [near, far]) {
        sockets.add(socket.setNoDelay(true));
        socket.once('error', () => socket.destroy()).once('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.on('data', (chunk) => setTimeout(() => far.write(chunk), delayMs));
      far.pipe(near);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SlowRoad(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, () => server.close());
  }

  close(): void {
    this.stopListening();
    for (const socket of this.sockets) socket.destroy();
  }
}
