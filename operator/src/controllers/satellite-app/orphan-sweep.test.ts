import { Code, ConnectError } from '@connectrpc/connect';
import { ManualTimers } from '../../../test/support/manual-timers.js';
import { RegistryDouble } from '../../../test/support/registry-double.js';
import { silentLogger } from '../../../test/support/silent-logger.js';
import { until } from '../../../test/support/until.js';
import { ApiStatusError, ApiUnreachable } from '../../runtime/api-error.js';
import { OrphanSweep, type OrphanSweepOptions } from './orphan-sweep.js';
import type { SatelliteApp } from './satellite-app.js';

describe('the sweep for orphans', () => {
  let registry: RegistryDouble;
  /** Slugs of the objects of the source, by key; what the mirror knows of them. */
  let objects: Map<string, string>;
  let mirrored: Set<string>;
  let asked: string[];
  /** Objects that are other operators'. */
  let listed: Set<string>;
  let lists: number;
  let listFails: Error | undefined;
  let sourceFails: Error | undefined;
  /** Objects in the mirror besides. */
  let others: number;

  beforeEach(() => {
    [registry, objects, mirrored, listed, asked, sourceFails, others] = [new RegistryDouble(), new Map(), new Set(), new Set(), [], undefined, 1];
    [lists, listFails] = [0, undefined];
  });

  const objectOf = (key: string): SatelliteApp => ({ metadata: { namespace: key.split('/')[0], name: key.split('/')[1] }, spec: { slug: objects.get(key) } }) as unknown as SatelliteApp;
  const emptyMirror = { get: () => undefined, list: () => [], inIndex: () => [], others: () => Promise.resolve(new Set<string>()) };
  const sweepOf = (over: Partial<OrphanSweepOptions> = {}) =>
    new OrphanSweep({
      apps: {
        list: () => Array.from({ length: others }, () => objectOf('default/other')),
        get: (key) => (mirrored.has(key) ? objectOf(key) : undefined),
        others: async () => {
          lists += 1;
          if (listFails) throw listFails;
          return listed;
        },
        inIndex: (slug) => [...mirrored].filter((key) => objects.get(key) === slug).map(objectOf),
        read: async (key) => {
          asked.push(key);
          if (sourceFails) throw sourceFails;
          return objects.has(key) ? objectOf(key) : undefined;
        },
      },
      registry: registry.client(),
      installation: 'here',
      intervalMs: 600_000,
      logger: silentLogger,
      random: () => 0.5,
      ...over,
    });
  const entry = (slug: string, source: object = {}) => registry.client().applyApp({ app: { slug, name: slug, type: 'satellite', apiUrl: '/x' }, source: { uid: `uid-${slug}`, generation: 1n, namespace: 'default', name: slug, installation: 'here', deletionPolicy: 'Delete', ...source } });
  const slugs = () => [...registry.entries.keys()].sort();

  it('removes an entry that two sweeps found without an object, and no other', async () => {
    for (const slug of ['gone', 'mirrored', 'elsewhere']) await entry(slug);
    objects.set('default/mirrored', 'mirrored').set('default/elsewhere', 'elsewhere');
    mirrored.add('default/mirrored');
    const sweep = sweepOf();
    expect(await sweep.sweep()).toMatchObject({ entries: 3, orphans: 1, removed: 0 });
    expect(asked.sort()).toEqual(['default/elsewhere', 'default/gone']);
    expect(slugs()).toEqual(['elsewhere', 'gone', 'mirrored']);
    expect(await sweep.sweep()).toMatchObject({ entries: 3, orphans: 1, removed: 1 });
    expect(slugs()).toEqual(['elsewhere', 'mirrored']);
    expect(await sweep.sweep()).toMatchObject({ entries: 2, orphans: 0, removed: 0 });
  });

  it.each([
    ['of another installation', { installation: 'there' }],
    ['of an unknown installation', { installation: '' }],
  ])('touches no entry %s', async (_what, source) => {
    await entry('foreign', source);
    const sweep = sweepOf();
    for (const _time of [1, 2]) expect(await sweep.sweep()).toMatchObject({ entries: 0, orphans: 0, removed: 0 });
    expect([asked, slugs()]).toEqual([[], ['foreign']]);
  });

  it('touches no entry of another namespace, of administrators, or of a seed', async () => {
    await entry('other', { namespace: 'other' });
    registry.seed({ slug: 'by-hand', name: 'By hand' });
    const sweep = sweepOf({ namespace: 'default' });
    for (const _time of [1, 2]) expect(await sweep.sweep()).toMatchObject({ entries: 0, orphans: 0, removed: 0 });
    expect(slugs()).toEqual(['by-hand', 'other']);
  });

  it('only counts while it does not know its installation', async () => {
    await entry('gone', { installation: '' });
    await entry('foreign');
    const sweep = sweepOf({ installation: undefined });
    for (const _time of [1, 2, 3]) expect(await sweep.sweep()).toMatchObject({ entries: 1, orphans: 1, removed: 0 });
    expect(slugs()).toEqual(['foreign', 'gone']);
  });

  it.each([['Orphan'], ['']])('gives an entry up to the administrators when its policy was "%s"', async (deletionPolicy) => {
    await entry('gone', { deletionPolicy });
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ removed: 1 });
    expect(registry.entries.get('gone')?.managedBy).toBe('api');
  });

  it('leaves an entry that was written between two sweeps, or whose object came back', async () => {
    for (const slug of ['rewritten', 'back', 'one', 'two']) await entry(slug);
    objects.set('default/one', 'one').set('default/two', 'two');
    const sweep = sweepOf();
    await sweep.sweep();
    await registry.client().applyApp({ app: { slug: 'rewritten', name: 'New', type: 'satellite', apiUrl: '/x' }, source: { uid: 'other', generation: 1n, namespace: 'default', name: 'rewritten', installation: 'here' } });
    objects.set('default/back', 'back');
    expect(await sweep.sweep()).toMatchObject({ entries: 4, orphans: 1, removed: 0 });
    expect(slugs()).toEqual(['back', 'one', 'rewritten', 'two']);
  });

  it('asks with one list for objects of other shards, and for none of them alone', async () => {
    for (const slug of ['elsewhere-1', 'elsewhere-2', 'gone', 'mine']) await entry(slug);
    objects.set('default/mine', 'mine');
    mirrored.add('default/mine');
    listed = new Set(['default/elsewhere-1', 'default/elsewhere-2', 'default/mine']);
    const sweep = sweepOf();
    expect(await sweep.sweep()).toMatchObject({ entries: 4, orphans: 1, removed: 0 });
    expect([lists, asked]).toEqual([1, ['default/gone']]);
    expect(await sweep.sweep()).toMatchObject({ orphans: 1, removed: 1 });
    expect(lists).toBe(2);
    await sweep.sweep();
    expect([slugs(), asked]).toEqual([['elsewhere-1', 'elsewhere-2', 'mine'], ['default/gone', 'default/gone', 'default/gone']]);
  });

  it('never takes an object for gone that moves from shard to shard, whatever the list of them missed', async () => {
    await entry('moving');
    objects.set('default/moving', 'moving');
    const sweep = sweepOf();
    for (const here of [true, false, false, true, false]) {
      mirrored.delete('default/moving');
      if (here) mirrored.add('default/moving');
      expect(await sweep.sweep()).toMatchObject({ orphans: 0, removed: 0 });
    }
    expect(slugs()).toEqual(['moving']);
  });

  it('finds the old entry of an own object that has another slug now, although it is in the list', async () => {
    await entry('old-slug', { name: 'app' });
    objects.set('default/app', 'new-slug');
    mirrored.add('default/app');
    listed.add('default/app');
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ removed: 1 });
  });

  it('is counted, with what it left and when it failed', async () => {
    const results: unknown[] = [];
    await entry('gone');
    const timers = new ManualTimers();
    const sweep = sweepOf({ timers, observer: { swept: (result) => void results.push(result) } });
    sweep.start();
    for (const outage of [undefined, undefined, new ConnectError('down', Code.Unavailable)]) {
      registry.outage = outage;
      const count = results.length + 1;
      await timers.advance(count === 1 ? 60_000 : 640_000);
      await until(() => [results.length, timers.waiting].join(), (seen) => seen === `${count},1`);
    }
    sweep.stop();
    expect(results).toEqual([{ entries: 1, orphans: 1, removed: 0, isHeld: false }, { entries: 1, orphans: 1, removed: 1, isHeld: false }, undefined]);
  });

  it('removes nothing while the other objects cannot be listed', async () => {
    for (let at = 0; at < 5; at += 1) await entry(`gone-${at}`);
    const sweep = sweepOf();
    listFails = new ApiUnreachable('no answer');
    for (const _time of [1, 2, 3]) await expect(sweep.sweep()).rejects.toThrow('no answer');
    expect([asked, slugs().length]).toEqual([[], 5]);
  });

  it('looks at the source once more right before it removes', async () => {
    await entry('gone');
    const client = registry.client();
    let pages = 0;
    const sweep = sweepOf({ registry: { ...client, listApps: async (...given) => ((pages += 1), client.listApps(...given)) }, apps: { ...emptyMirror, list: () => [objectOf('default/other')], read: async () => (pages === 2 && asked.push('x') === 2 ? ({ spec: { slug: 'gone' } } as SatelliteApp) : undefined) } });
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ entries: 1, orphans: 1, removed: 0 });
    expect(slugs()).toEqual(['gone']);
  });

  it('removes the entry of an object that was made again with another slug', async () => {
    await entry('old-slug', { name: 'app' });
    objects.set('default/app', 'new-slug');
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ removed: 1 });
  });

  it('removes nothing when the source does not answer, and does not ask for every entry', async () => {
    for (let at = 0; at < 10; at += 1) {
      await entry(`app-${at}`);
      if (at > 0) objects.set(`default/app-${at}`, `app-${at}`);
    }
    const sweep = sweepOf();
    await sweep.sweep();
    [sourceFails, asked] = [new ApiUnreachable('no answer'), []];
    await expect(sweep.sweep()).rejects.toThrow('no answer');
    expect(asked).toHaveLength(3);
    expect(slugs()).toHaveLength(10);
  });

  it('goes on after an entry that cannot be looked at, and leaves that one', async () => {
    for (const slug of ['a-forbidden', 'b-forbidden', 'c-forbidden', 'd-hanging', 'gone', 'living']) await entry(slug);
    objects.set('default/living', 'living');
    const read = async (key: string) => {
      if (key.endsWith('forbidden')) throw new ApiStatusError(403, 'Forbidden', 'no');
      if (key.endsWith('hanging')) throw new ApiUnreachable('no answer');
      return objects.has(key) ? objectOf(key) : undefined;
    };
    const sweep = sweepOf({ apps: { ...emptyMirror, read } });
    expect(await sweep.sweep()).toMatchObject({ entries: 6, orphans: 1, removed: 0 });
    expect(await sweep.sweep()).toMatchObject({ entries: 6, orphans: 1, removed: 1 });
    expect(slugs()).toEqual(['a-forbidden', 'b-forbidden', 'c-forbidden', 'd-hanging', 'living']);
  });

  it('goes on after an entry that the registry does not let go', async () => {
    for (const slug of ['a-kept', 'gone', 'one', 'two']) await entry(slug);
    objects.set('default/one', 'one').set('default/two', 'two');
    const client = registry.client();
    const removeApp: typeof client.removeApp = async (request, options) => {
      if (request.slug === 'a-kept') throw new ConnectError('written meanwhile', Code.FailedPrecondition);
      return client.removeApp(request, options);
    };
    const sweep = sweepOf({ registry: { ...client, removeApp } });
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ entries: 4, orphans: 2, removed: 1 });
    expect(slugs()).toEqual(['a-kept', 'one', 'two']);
  });

  it.each([
    ['..', 'name'],
    ['a/b', 'name'],
    ['', 'name'],
    ['Upper', 'name'],
    ['default', '../../secrets/x'],
    ['default', 'x?watch=true'],
  ])('asks for nothing by names that no object can have: "%s", "%s"', async (namespace, name) => {
    await entry('odd', { namespace, name });
    const sweep = sweepOf();
    for (const _time of [1, 2]) expect(await sweep.sweep()).toMatchObject({ entries: 0, orphans: 0, removed: 0 });
    expect([asked, slugs()]).toEqual([[], ['odd']]);
  });

  it.each([
    [1, 1, 0],
    [2, 2, 1],
    [3, 2, 1],
    [20, 20, 0],
    [30, 16, 5],
  ])('removes nothing when of %d entries %d have no object and the mirror knows %d', async (all, gone, known) => {
    for (let at = 0; at < all; at += 1) {
      await entry(`app-${at}`);
      if (at >= gone) objects.set(`default/app-${at}`, `app-${at}`);
    }
    others = known;
    const sweep = sweepOf();
    for (const _time of [1, 2, 3]) expect(await sweep.sweep()).toMatchObject({ entries: all, orphans: gone, removed: 0 });
    expect(slugs()).toHaveLength(all);
  });

  it('counts two sweeps anew once most objects of a restored cluster are there', async () => {
    for (let at = 0; at < 5; at += 1) await entry(`app-${at}`);
    const sweep = sweepOf();
    for (const _time of [1, 2]) expect(await sweep.sweep()).toMatchObject({ entries: 5, orphans: 5, removed: 0 });
    for (let at = 0; at < 4; at += 1) objects.set(`default/app-${at}`, `app-${at}`);
    expect(await sweep.sweep()).toMatchObject({ entries: 5, orphans: 1, removed: 0 });
    expect(await sweep.sweep()).toMatchObject({ entries: 5, orphans: 1, removed: 1 });
  });

  it('goes through all pages', async () => {
    for (let at = 0; at < 450; at += 1) {
      await entry(`app-${at}`);
      if (at > 0) objects.set(`default/app-${at}`, `app-${at}`);
    }
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ entries: 450, orphans: 1, removed: 1 });
  });

  it('comes soon after the start, then at its interval, also when the registry was away; and never after the stop', async () => {
    const timers = new ManualTimers();
    await entry('gone');
    const sweep = sweepOf({ timers });
    sweep.start();
    registry.outage = new ConnectError('away', Code.Unavailable);
    await timers.advance(30_000);
    registry.outage = undefined;
    await timers.advance(630_000);
    expect(slugs()).toEqual(['gone']);
    await timers.advance(630_000);
    expect(slugs()).toEqual([]);
    sweep.stop();
    expect(timers.waiting).toBe(0);
  });
});
