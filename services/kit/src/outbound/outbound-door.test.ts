import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostAllowList, isPublicAddress } from './addresses.js';
import { OutboundDoor, redirectTarget } from './outbound-door.js';

const limits = { maxBytes: 1000, timeoutMs: 2000 };

describe('public addresses', () => {
  it.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '::1', '::', 'fe80::1', 'fd00::1', 'fec0::1', 'ff02::1', '::ffff:10.0.0.1', '::7f00:1', '64:ff9b::a00:1', '2002:a00:1::', '2001:0:1::', '2001:db8::1', 'text'])('%s is not one', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the allow-list', () => {
  const allows = (pattern: string, url: string): boolean => new HostAllowList([pattern]).allows(new URL(url));
  it.each([
    ['drive', 'http://drive:8080/', true], ['drive:8080', 'http://drive:8080/', true], ['drive:8080', 'http://drive/', false], ['drive:443', 'https://drive/', true],
    ['*.svc', 'http://drive.apps.svc/', true], ['*.svc', 'http://svc/', false], ['*.svc', 'http://evilsvc/', false], ['drive', 'http://drive.evil.test/', false],
  ])('%s and %s: %s', (pattern, url, expected) => {
    expect(allows(pattern, url)).toBe(expected);
  });
});

describe('the outbound door', () => {
  let server: Server;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('inside'));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());
  const port = (): number => (server.address() as AddressInfo).port;

  it('refuses a name with a private address among its addresses, and connects to nobody', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::1', '2606:4700::1111']]) {
      const door = new OutboundDoor({ allow: [], resolve: async () => addresses });
      await expect(door.fetch(`http://rebind.test:${port()}/`, limits)).rejects.toMatchObject({ code: 'outbound.address_refused', kind: 'invalid' });
    }
    expect(connections).toBe(0);
  });

  it('resolves a name once and connects to what it checked', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let asked = 0;
    const door = new OutboundDoor({ allow: ['rebind.test'], resolve: async () => answers[asked++] ?? [] });
    const response = await door.fetch(`http://rebind.test:${port()}/`, limits);
    expect([asked, response.body.toString(), response.url]).toEqual([1, 'inside', `http://rebind.test:${port()}/`]);
  });

  it.each([[['127.0.0.2', '127.0.0.1']], [['::1', '127.0.0.1']], [['::1', '127.0.0.2', '127.0.0.1']]])('tries the addresses %j of a name until one takes the connection', async (addresses) => {
    const door = new OutboundDoor({ allow: ['several.test'], resolve: async () => addresses });
    expect((await door.fetch(`http://several.test:${port()}/`, limits)).body.toString()).toBe('inside');
  });

  it('goes on with the connection to a host, but not with one to an address that its name no longer has', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1']];
    const door = new OutboundDoor({ allow: ['kept.test'], resolve: async () => answers.shift() ?? [] });
    const made = async (): Promise<number> => {
      const before = connections;
      await door.fetch(`http://kept.test:${port()}/`, limits);
      return connections - before;
    };
    expect([await made(), await made(), await made()]).toEqual([1, 0, 1]);
  });

  it('asks anew when the other side gives up a connection that was kept', async () => {
    let requests = 0;
    const fickle = createServer((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end(String(requests));
    });
    await new Promise<void>((resolve) => fickle.listen(0, '127.0.0.1', resolve));
    const url = `http://fickle.test:${(fickle.address() as AddressInfo).port}/`;
    const door = new OutboundDoor({ allow: ['fickle.test'], resolve: async () => ['127.0.0.1'] });
    const bodies = [await door.fetch(url, limits), await door.fetch(url, limits)].map(({ body }) => body.toString());
    fickle.close();
    expect(bodies).toEqual(['1', '3']);
  });

  it('says why when no address takes the connection', async () => {
    const door = new OutboundDoor({ allow: ['several.test'], resolve: async () => ['127.0.0.2', '127.0.0.3'] });
    await expect(door.fetch(`http://several.test:${port()}/`, limits)).rejects.toMatchObject({ code: 'outbound.unreachable', message: expect.stringContaining('the connection is refused') });
  });

  it('gives up on names that do not resolve in time', async () => {
    const door = new OutboundDoor({ allow: [], resolve: () => new Promise(() => undefined) });
    await expect(door.fetch('http://slow.test/', { ...limits, timeoutMs: 50 })).rejects.toMatchObject({ code: 'outbound.timeout' });
  });

  it('refuses to be led from https to http, to other schemes or to nonsense', () => {
    const from = new URL('https://x.test/a');
    for (const location of ['http://x.test/', 'file:///etc/passwd', 'http://', 'https://user:pw@x.test/']) expect(() => redirectTarget(from, location)).toThrow();
    expect(redirectTarget(from, '/b').href).toBe('https://x.test/b');
  });
});
