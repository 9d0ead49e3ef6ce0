import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { thing, type Thing } from '../../test/support/objects.js';
import { ApiStatusError } from './api-error.js';
import { Reflector, type ListPage, type ListWatch, type WatchEvent } from './reflector.js';
import { ObjectStore } from './store.js';

/** An API server whose every answer a test decides. */
class ScriptedServer implements ListWatch<Thing> {
  pages: (ListPage<Thing> | Error)[] = [];
  readonly lists: (string | undefined)[] = [];
  readonly watches: string[] = [];
  private say: ((event: WatchEvent<Thing> | 'end' | Error) => void) | undefined;
  failingWatches: Error[] = [];

  async list({ continueToken }: { readonly continueToken?: string }): Promise<ListPage<Thing>> {
    this.lists.push(continueToken);
    const page = this.pages.shift();
    if (!page) throw new Error('no page');
    if (page instanceof Error) throw page;
    return page;
  }

  async *watch({ resourceVersion, signal }: { readonly resourceVersion: string; readonly signal: AbortSignal }): AsyncGenerator<WatchEvent<Thing>> {
    this.watches.push(resourceVersion);
    const failure = this.failingWatches.shift();
    if (failure) throw failure;
    for (;;) {
      const next = await new Promise<WatchEvent<Thing> | 'end' | Error>((resolve) => {
        this.say = resolve;
        signal.addEventListener('abort', () => resolve(signal.reason instanceof Error ? signal.reason : new Error('aborted')), { once: true });
      });
      if (next === 'end') return;
      if (next instanceof Error) throw next;
      yield next;
    }
  }

  async send(event: WatchEvent<Thing> | 'end' | Error): Promise<void> {
    await settle();
    if (!this.say) throw new Error('nobody watches');
    const { say } = this;
    this.say = undefined;
    say(event);
    await settle();
  }
}

const page = (items: Thing[], resourceVersion: string, continueToken?: string): ListPage<Thing> => ({ items, resourceVersion, continueToken });

describe('Reflector', () => {
  let server: ScriptedServer;
  let store: ObjectStore<Thing>;
  let timers: ManualTimers;
  let reflector: Reflector<Thing>;

  beforeEach(() => {
    server = new ScriptedServer();
    store = new ObjectStore<Thing>();
    timers = new ManualTimers();
    reflector = new Reflector<Thing>({ source: server, store, logger: silentLogger, timers, random: () => 1 });
  });
  afterEach(() => reflector.stop());

  const begin = async (...pages: (ListPage<Thing> | Error)[]) => {
    server.pages = pages;
    reflector.start();
    await settle();
  };

  it('lists page by page, then watches from there', async () => {
    await begin(page([thing('a', 1)], '5', 'more'), page([thing('b', 2)], '5'));
    expect(server.lists).toEqual([undefined, 'more']);
    expect(server.watches).toEqual(['5']);
    expect(reflector.hasSynced()).toBe(true);
    await server.send({ type: 'ADDED', object: thing('c', 6) });
    await server.send({ type: 'DELETED', object: thing('a', 7) });
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  it('goes on from the last version, bookmarks included, without a new list', async () => {
    await begin(page([], '5'));
    await server.send({ type: 'BOOKMARK', object: thing('', 90) });
    await timers.advance(5000);
    await server.send('end');
    expect(server.watches).toEqual(['5', '90']);
    await server.send(new Error('ECONNRESET'));
    await timers.advance(200);
    expect(server.watches).toEqual(['5', '90', '90']);
    expect(server.lists).toHaveLength(1);
  });

  it('lists again at once when its version is too old, in the answer or inside the watch', async () => {
    await begin(page([thing('a', 1)], '5'));
    server.pages = [page([thing('b', 8)], '9')];
    await server.send({ type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'too old' } as unknown as Thing });
    await timers.advance(0);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['b']);
    server.pages = [page([thing('c', 11)], '12')];
    server.failingWatches = [new ApiStatusError(410, 'Gone', 'too old')];
    await server.send({ type: 'ADDED', object: thing('x', 10) });
    await server.send(new Error('cut'));
    await timers.advance(1000);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['c']);
    expect(server.watches.at(-1)).toBe('12');
  });

  it('never stops trying, and waits as long as the API server asks', async () => {
    await begin(new Error('ECONNREFUSED'), new ApiStatusError(403, 'Forbidden', 'no'), new ApiStatusError(429, 'TooManyRequests', 'slow', 7000), page([thing('a', 1)], '5'));
    expect(reflector.hasSynced()).toBe(false);
    await timers.advance(200);
    await timers.advance(400);
    expect(server.lists).toHaveLength(3);
    await timers.advance(6900);
    expect(server.lists).toHaveLength(3);
    await timers.advance(1600);
    expect(reflector.hasSynced()).toBe(true);
  });

  it('takes a silent watch for dead and opens another one', async () => {
    await begin(page([], '5'));
    await timers.advance(60_000);
    await server.send({ type: 'BOOKMARK', object: thing('', 6) });
    await timers.advance(89_000);
    expect(server.watches).toEqual(['5']);
    expect(reflector.silentMs()).toBe(89_000);
    await timers.advance(1300);
    expect(server.watches).toEqual(['5', '6']);
  });

  it('does not reopen in a tight loop a watch that ends at once', async () => {
    await begin(page([], '5'));
    await server.send('end');
    expect(server.watches).toHaveLength(1);
    await timers.advance(200);
    expect(server.watches).toHaveLength(2);
  });

  it('says in-band errors other than 410 too', async () => {
    await begin(page([], '5'));
    await server.send({ type: 'ERROR', object: { code: 500, message: 'broken' } as unknown as Thing });
    await timers.advance(200);
    expect(server.watches).toEqual(['5', '5']);
  });

  it('stays stopped', async () => {
    await begin(page([], '5'));
    await reflector.stop();
    await timers.advance(600_000);
    expect(server.watches).toHaveLength(1);
    expect(timers.waiting).toBe(0);
  });
});
