import { Code, ConnectError } from '@connectrpc/connect';
import { ManualTimers } from '../../../test/support/manual-timers.js';
import { RegistryDouble } from '../../../test/support/registry-double.js';
import { silentLogger } from '../../../test/support/silent-logger.js';
import { OrphanSweep, type OrphanSweepOptions } from './orphan-sweep.js';
import type { SatelliteApp } from './satellite-app.js';

describe('the sweep for orphans', () => {
  let registry: RegistryDouble;
  /** Slugs of the objects of the source, by key; what the mirror knows of them. */
  let objects: Map<string, string>;
  let mirrored: Set<string>;
  let asked: string[];
  let sourceFails: Error | undefined;

  beforeEach(() => {
    [registry, objects, mirrored, asked, sourceFails] = [new RegistryDouble(), new Map(), new Set(), [], undefined];
  });

  const objectOf = (key: string): SatelliteApp => ({ metadata: { namespace: key.split('/')[0], name: key.split('/')[1] }, spec: { slug: objects.get(key) } }) as unknown as SatelliteApp;
  const sweepOf = (over: Partial<OrphanSweepOptions> = {}) =>
    new OrphanSweep({
      apps: {
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
    expect(await sweep.sweep()).toEqual({ entries: 3, orphans: 1, removed: 0 });
    expect(asked.sort()).toEqual(['default/elsewhere', 'default/gone']);
    expect(slugs()).toEqual(['elsewhere', 'gone', 'mirrored']);
    expect(await sweep.sweep()).toEqual({ entries: 3, orphans: 1, removed: 1 });
    expect(slugs()).toEqual(['elsewhere', 'mirrored']);
    expect(await sweep.sweep()).toEqual({ entries: 2, orphans: 0, removed: 0 });
  });

  it.each([
    ['of another installation', { installation: 'there' }],
    ['of an unknown installation', { installation: '' }],
  ])('touches no entry %s', async (_what, source) => {
    await entry('foreign', source);
    const sweep = sweepOf();
    for (const _time of [1, 2]) expect(await sweep.sweep()).toEqual({ entries: 0, orphans: 0, removed: 0 });
    expect([asked, slugs()]).toEqual([[], ['foreign']]);
  });

  it('touches no entry of another namespace, of administrators, or of a seed', async () => {
    await entry('other', { namespace: 'other' });
    registry.seed({ slug: 'by-hand', name: 'By hand' });
    const sweep = sweepOf({ namespace: 'default' });
    for (const _time of [1, 2]) expect(await sweep.sweep()).toEqual({ entries: 0, orphans: 0, removed: 0 });
    expect(slugs()).toEqual(['by-hand', 'other']);
  });

  it('only counts while it does not know its installation', async () => {
    await entry('gone', { installation: '' });
    await entry('foreign');
    const sweep = sweepOf({ installation: undefined });
    for (const _time of [1, 2, 3]) expect(await sweep.sweep()).toEqual({ entries: 1, orphans: 1, removed: 0 });
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
    await entry('rewritten');
    await entry('back');
    const sweep = sweepOf();
    await sweep.sweep();
    await registry.client().applyApp({ app: { slug: 'rewritten', name: 'New', type: 'satellite', apiUrl: '/x' }, source: { uid: 'other', generation: 1n, namespace: 'default', name: 'rewritten', installation: 'here' } });
    objects.set('default/back', 'back');
    expect(await sweep.sweep()).toEqual({ entries: 2, orphans: 1, removed: 0 });
    expect(slugs()).toEqual(['back', 'rewritten']);
  });

  it('looks at the source once more right before it removes', async () => {
    await entry('gone');
    const client = registry.client();
    let lists = 0;
    const sweep = sweepOf({ registry: { ...client, listApps: async (...given) => ((lists += 1), client.listApps(...given)) }, apps: { inIndex: () => [], read: async () => (lists === 2 && asked.push('x') === 2 ? ({ spec: { slug: 'gone' } } as SatelliteApp) : undefined) } });
    await sweep.sweep();
    expect(await sweep.sweep()).toEqual({ entries: 1, orphans: 1, removed: 0 });
    expect(slugs()).toEqual(['gone']);
  });

  it('removes the entry of an object that was made again with another slug', async () => {
    await entry('old-slug', { name: 'app' });
    objects.set('default/app', 'new-slug');
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toMatchObject({ removed: 1 });
  });

  it('removes nothing when the source does not answer', async () => {
    await entry('gone');
    const sweep = sweepOf();
    await sweep.sweep();
    sourceFails = new Error('403');
    await expect(sweep.sweep()).rejects.toThrow('403');
    expect(slugs()).toEqual(['gone']);
  });

  it('removes nothing when most of the registry seems to be orphaned', async () => {
    for (let at = 0; at < 30; at += 1) await entry(`app-${at}`);
    const sweep = sweepOf();
    for (const _time of [1, 2, 3]) expect(await sweep.sweep()).toEqual({ entries: 30, orphans: 30, removed: 0 });
  });

  it('goes through all pages', async () => {
    for (let at = 0; at < 450; at += 1) {
      await entry(`app-${at}`);
      if (at > 0) objects.set(`default/app-${at}`, `app-${at}`);
    }
    const sweep = sweepOf();
    await sweep.sweep();
    expect(await sweep.sweep()).toEqual({ entries: 450, orphans: 1, removed: 1 });
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
