import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpServer, type Patience } from '@satellite/kit/service';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nConnection: close\r\n\r\n';

/** Answers with the length of the body. */
const measure: RequestListener = (request, response) => void text(request).then((body) => response.end(`got ${body.length}`), () => response.destroy());

async function withServer(patience: Patience | undefined, work: (open: () => Promise<Socket>) => Promise<void>): Promise<void> {
  const server = httpServer(measure, patience).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await work(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the HTTP server of a service', () => {
  it('cuts a client that has fallen silent in the middle of its body', async () => {
    await withServer({ silent: 300, request: 60_000 }, async (open) => {
      const socket = await open();
      socket.write(`${HEAD}abc`);
      expect(await text(socket)).toBe('');
    });
  });

  it('has patience for large files over slow lines', async () => {
    await withServer(undefined, async (open) => {
      const socket = await open();
      socket.write(`${HEAD}abcdef`);
      expect(await text(socket)).toContain('got 6');
    });
    const { requestTimeout, timeout, headersTimeout } = httpServer(measure);
    expect(requestTimeout).toBeGreaterThanOrEqual(3_600_000);
    expect(timeout).toBeLessThanOrEqual(120_000);
    expect(headersTimeout).toBeLessThanOrEqual(60_000);
  });
});
