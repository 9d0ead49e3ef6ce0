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
  /** A library that ignores that it is told to stop. */
  deaf = false;
  private hear: () => void = () => undefined;
  private say: ((event: WatchEvent<Thing> | 'end' | Error) => void) | undefined;
  failingWatches: Error[] = [];

  async list({ continueToken }: { readonly continueToken?: string; readonly signal: AbortSignal }): Promise<ListPage<Thing>> {
    this.lists.push(continueToken);
    const page = this.pages.shift();
    if (!page) throw new Error('no page');
    if (page instanceof Error) throw page;
    return page;
  }

  /** Bytes arrive that are no whole event yet. */
  trickle(): void {
    this.hear();
  }

  async *watch({ resourceVersion, signal, heard }: { readonly resourceVersion: string; readonly signal: AbortSignal; readonly heard: () => void }): AsyncGenerator<WatchEvent<Thing>> {
    this.watches.push(resourceVersion);
    this.hear = heard;
    const failure = this.failingWatches.shift();
    if (failure) throw failure;
    for (;;) {
      const next = await new Promise<WatchEvent<Thing> | 'end' | Error>((resolve) => {
        this.say = resolve;
        if (!this.deaf) signal.addEventListener('abort', () => resolve(signal.reason instanceof Error ? signal.reason : new Error('aborted')), { once: true });
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

  it('lists again when news comes in the wrong order, and loses none of it', async () => {
    await begin(page([thing('a', 1)], '5'));
    await server.send({ type: 'ADDED', object: thing('c', 8) });
    await server.send({ type: 'ADDED', object: thing('c', 8) });
    expect(server.lists).toHaveLength(1);
    server.pages = [page([thing('b', 7), thing('c', 8), thing('swallowed', 6)], '9')];
    await server.send({ type: 'ADDED', object: thing('b', 7) });
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'c', 'b']);
    await timers.advance(200);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['c', 'b', 'swallowed']);
    expect(server.watches).toEqual(['5', '9']);
  });

  it('lists again when no watch can be opened, although nobody says that its version is too old', async () => {
    await begin(page([], '5'));
    server.failingWatches = Array.from({ length: 2 }, () => new ApiStatusError(504, 'Timeout', 'too large resource version'));
    server.pages = [page([thing('restored', 2)], '3')];
    await server.send(new Error('cut'));
    await timers.advance(200 + 400 + 800);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['restored']);
    expect(server.watches).toEqual(['5', '5', '5', '3']);
  });

  it('lists again from time to time although all is well', async () => {
    await begin(page([], '5'));
    await timers.advance(60_000);
    await server.send('end');
    expect(server.lists).toHaveLength(1);
    for (let minute = 0; minute < 30; minute += 1) {
      await timers.advance(60_000);
      await server.send({ type: 'BOOKMARK', object: thing('', 6 + minute) });
    }
    server.pages = [page([thing('missed', 9)], '99')];
    await server.send('end');
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['missed']);
  });

  it('does not take a watch for dead on which a large event arrives slowly', async () => {
    await begin(page([], '5'));
    for (let second = 0; second < 300; second += 60) {
      await timers.advance(60_000);
      server.trickle();
    }
    expect(server.watches).toEqual(['5']);
  });

  it('waits a minute at most, whoever asks for more', async () => {
    await begin(new ApiStatusError(429, 'TooManyRequests', 'come back tomorrow', 86_400_000), page([], '5'));
    await timers.advance(72_000);
    expect(reflector.hasSynced()).toBe(true);
  });

  describe('is healthy', () => {
    const healthyFor = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        await timers.advance(10_000);
        expect(reflector.unhealthy()).toBeUndefined();
      }
    };

    it('while the API server is away for hours', async () => {
      await begin(page([], '5'));
      server.failingWatches = Array.from({ length: 100_000 }, () => new Error('ECONNREFUSED'));
      await server.send(new Error('ECONNRESET'));
      await healthyFor(7_200_000);
    });

    it('while a long list arrives slowly', async () => {
      let more: (next: ListPage<Thing>) => void = () => undefined;
      server.list = ({ signal }) => new Promise((resolve, reject) => {
        more = resolve;
        signal.addEventListener('abort', reject, { once: true });
      });
      await begin();
      for (let at = 0; at < 20; at += 1) {
        await healthyFor(50_000);
        more(page([], '5', 'more'));
      }
      expect(reflector.hasSynced()).toBe(false);
    });

    it('while one watch after the other goes silent, because it opens another one itself', async () => {
      await begin(page([], '5'));
      server.list = () => Promise.resolve(page([], '5'));
      await healthyFor(600_000);
      expect(server.watches.length).toBeGreaterThan(5);
    });

    it('while it was not started, and when it is stopped', async () => {
      await healthyFor(600_000);
      reflector.start();
      await reflector.stop();
      await healthyFor(600_000);
    });
  });

  it('is unhealthy when a dead watch does not even end when it is told to', async () => {
    await begin(page([], '5'));
    server.deaf = true;
    await server.send({ type: 'BOOKMARK', object: thing('', 6) });
    await timers.advance(90_000);
    expect(reflector.unhealthy()).toBeUndefined();
    await timers.advance(91_000);
    expect(reflector.unhealthy()).toContain('the watch hangs');
    await server.send('end');
  });

  it('stays stopped', async () => {
    await begin(page([], '5'));
    await reflector.stop();
    await timers.advance(600_000);
    expect(server.watches).toHaveLength(1);
    expect(timers.waiting).toBe(0);
  });
});
