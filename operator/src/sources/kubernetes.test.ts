import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';
import { thing, type Thing } from '../../test/support/objects.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { until } from '../../test/support/until.js';
import { ApiClient } from '../runtime/api-client.js';
import { isOutage } from '../runtime/api-error.js';
import { KubernetesSource } from './kubernetes.js';

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}
/** What is answered to a write or a read of one object; undefined cuts the connection. */
type Answering = (method: string, body: { metadata?: { resourceVersion?: string } }) => Answer | undefined;

const NOT_FOUND = { status: 404, body: { code: 404, reason: 'NotFound', message: 'gone' } };
const CONFLICT = { status: 409, body: { code: 409, reason: 'Conflict', message: 'the object has been modified' } };
const STATUS = { observedGeneration: 1 };

describe('objects of an API server', () => {
  let server: Server;
  let client: ApiClient;
  let source: KubernetesSource<Thing>;
  let answering: Answering;
  let listed: Thing[];
  const requests: string[] = [];
  /** What is answered to a list of names. */
  const others = (query: URLSearchParams): Answer => {
    const isLast = query.get('continue') === 'next';
    return { body: { metadata: { resourceVersion: '100', ...(!isLast && { continue: 'next' }) }, items: [isLast ? thing('b', 8) : thing('a', 7)] } };
  };

  const answer = async (request: IncomingMessage): Promise<Answer | undefined> => {
    const url = new URL(request.url ?? '', 'http://server');
    if (request.headers.accept?.includes('PartialObjectMetadataList')) return others(url.searchParams);
    if (url.pathname.endsWith('/things')) return { body: { metadata: { resourceVersion: '100' }, items: listed } };
    const sent = await text(request);
    return answering(request.method ?? '', sent === '' ? {} : (JSON.parse(sent) as object));
  };

  beforeEach(async () => {
    requests.length = 0;
    listed = [thing('a', 7, { labels: { shard: 'a' } })];
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (request.url?.includes('watch=true')) return void response.writeHead(200).flushHeaders();
      void answer(request).then((said) => {
        if (!said) return void response.destroy();
        response.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers }).end(JSON.stringify(said.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: 'test', server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, skipTLSVerify: true }, { name: 'test' });
    client = new ApiClient(config);
    source = new KubernetesSource<Thing>({ client, resource: { group: 'test', version: 'v1', plural: 'things' }, labelSelector: 'shard=a', fieldManager: 'test', instance: 'test', logger: silentLogger });
    await source.start();
    await source.untilSynced();
  });
  afterEach(async () => {
    await source.stop();
    await client.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });

  const mirrored = (): Thing => {
    const object = source.get('default/a');
    if (!object) throw new Error('it is not mirrored');
    return object;
  };
  const writes = () => requests.filter((request) => !request.includes('/things?')).map((request) => request.replace(/ .*\/things\/a/, ' ').replace(/\?.*/, ''));

  it('are listed and watched by their labels', async () => {
    const [list, watch] = await until(() => requests, ({ length }) => length >= 2);
    expect(list).toContain('labelSelector=shard%3Da');
    expect(watch).toMatch(/watch=true.*labelSelector=shard%3Da/);
  });

  it('are gone when a finalizer cannot be put on them any more', async () => {
    answering = () => NOT_FOUND;
    expect(await source.writeFinalizers(mirrored(), ['ours'])).toBeUndefined();
  });

  it('are gone when another one has their name', async () => {
    answering = (method) => (method === 'PATCH' ? CONFLICT : { body: thing('a', 30, { uid: 'successor' }) });
    expect(await source.writeFinalizers(mirrored(), ['ours'])).toBeUndefined();
    expect(await source.writeStatus(mirrored(), STATUS)).toBe(mirrored());
    expect(writes()).toEqual(['PATCH ', 'GET ', 'PATCH /status', 'GET ']);
  });

  it('are asked for by no other path than that of their namespace and name', async () => {
    answering = () => NOT_FOUND;
    await source.read('a?b#c%2F..'.concat('/x?y'));
    expect(requests).toContain('GET /apis/test/v1/namespaces/a%3Fb%23c%252F../things/x%3Fy');
  });

  it('get their status on a fresh copy after a conflict, and no write that comes too late counts', async () => {
    let stored = thing('a', 9, { labels: { shard: 'a' } });
    answering = (method, { metadata }) => {
      if (method === 'GET') return { body: stored };
      if (metadata?.resourceVersion !== stored.metadata.resourceVersion) return CONFLICT;
      stored = { ...thing('a', 10, { labels: { shard: 'a' } }), status: STATUS };
      return { body: stored };
    };
    await source.writeStatus(mirrored(), STATUS);
    expect(writes()).toEqual(['PATCH /status', 'GET ', 'PATCH /status']);
    expect(mirrored()).toMatchObject({ metadata: { resourceVersion: '10' }, status: STATUS });
  });

  it('are not remembered with labels that another operator may look at', async () => {
    answering = () => ({ body: { ...thing('a', 12, { labels: { shard: 'b' } }), status: STATUS } });
    await source.writeStatus(mirrored(), STATUS);
    expect(mirrored().metadata.resourceVersion).toBe('7');
  });

  it('are written when the API server has time again', async () => {
    let refusals = 2;
    answering = () => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': '0' }, body: { code: 429, message: 'slow down' } } : { body: thing('a', 12, { labels: { shard: 'a' } }) });
    await source.writeStatus(mirrored(), STATUS);
    expect(writes()).toHaveLength(3);
  });

  it.each<[string, Answering, boolean]>([
    ['an answer that breaks off', () => undefined, true],
    ['500', () => ({ status: 500, body: { message: 'oops' } }), true],
    ['403', () => ({ status: 403, body: { code: 403, reason: 'Forbidden', message: 'no' } }), false],
  ])('are not written with %s, and it is said whether that passes', async (_what, answers, passes) => {
    answering = answers;
    const error = await source.writeStatus(mirrored(), STATUS).catch((thrown: unknown) => thrown);
    expect(isOutage(error)).toBe(passes);
  });

  it('are listed by name, page by page and whoever works on them, when the mirror is of a part', async () => {
    requests.length = 0;
    expect(await source.others()).toEqual(new Set(['default/a', 'default/b']));
    expect(requests.filter((request) => !request.includes('watch='))).toEqual(['GET /apis/test/v1/things?limit=500', 'GET /apis/test/v1/things?limit=500&continue=next']);
  });

  it('are not listed again when the mirror is of all', async () => {
    const whole = new KubernetesSource<Thing>({ client, resource: { group: 'test', version: 'v1', plural: 'things' }, fieldManager: 'test', instance: 'test', logger: silentLogger });
    requests.length = 0;
    expect([await whole.others(), requests.filter((request) => !request.includes('watch='))]).toEqual([new Set(), []]);
  });
});
