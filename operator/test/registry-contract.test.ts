import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AppRegistry, Change } from '@satellite/proto/registry/v1';
import { connectRegistry } from '../src/controllers/satellite-app/registry-client.js';
import { app, codeOf, report, source, REGISTRIES, useRegistry, type App, type ConnectedRegistry, type Source } from './support/registries.js';

describe.each(REGISTRIES)('%s', (_name, open) => {
  const connected = useRegistry(open);
  let { registry, candidate, entryOf } = {} as ConnectedRegistry;
  beforeAll(() => void ({ registry, candidate, entryOf } = connected()));

  it('creates an entry, once, and caches it', async () => {
    const [desired, from] = [app({ version: '1.0.0', uiUrl: 'https://example.org/ui' }), source()];
    const created = await registry.applyApp({ app: desired, source: from });
    expect(created).toMatchObject({ change: Change.CREATED, differences: [], drifted: false });
    expect(created.cachedRevision).toBeGreaterThanOrEqual(created.revision);
    const entry = await entryOf(desired.slug);
    expect(entry).toMatchObject({ id: created.id, managedBy: 'operator', revision: created.revision, source: { uid: from.uid, generation: 1n, namespace: 'default', name: from.name } });
    expect(entry?.app).toMatchObject({ slug: desired.slug, name: desired.name, status: 'active', version: '1.0.0', uiUrl: 'https://example.org/ui', category: '', organizations: { all: true, slugs: [] } });
    expect(entry?.cachedRevision).toBeGreaterThanOrEqual(created.revision);
  });

  it('changes nothing when the same is applied again, in whatever order lists and keys come', async () => {
    const [slug, from] = ['ordered-app', source()];
    const permissions = [{ code: `${slug}.files:read`, description: 'Read' }, { code: `${slug}.files:create` }];
    const limitKeys = [{ key: `${slug}.seats` }, { key: `${slug}.bytes`, description: 'Bytes' }];
    const rest = { slug, navigation: [{ title: 'Home', path: '/', icon: 'home' }, { title: 'All', path: '/all' }] };
    const first = await registry.applyApp({ app: app({ ...rest, permissions, limitKeys, metadata: { a: 1, b: { c: [true, null] } }, organizations: { all: false, slugs: ['two', 'one'] } }), source: from });
    const again = await registry.applyApp({ app: app({ ...rest, permissions: [...permissions].reverse(), limitKeys: [...limitKeys].reverse(), metadata: { b: { c: [true, null] }, a: 1 }, organizations: { all: false, slugs: ['one', 'two', 'one'] } }), source: from });
    expect(again).toMatchObject({ id: first.id, change: Change.UNCHANGED, revision: first.revision, differences: [], drifted: false });
  });

  it('notes a new generation of the same content without calling it a change', async () => {
    const [desired, from] = [app(), source()];
    await registry.applyApp({ app: desired, source: from });
    expect(await registry.applyApp({ app: desired, source: { ...from, generation: 2n } })).toMatchObject({ change: Change.UNCHANGED, differences: [], drifted: false });
    expect((await entryOf(desired.slug))?.source?.generation).toBe(2n);
  });

  it('updates what differs and says in which fields', async () => {
    const [desired, from] = [app({ category: 'old' }), source()];
    const created = await registry.applyApp({ app: desired, source: from });
    const updated = await registry.applyApp({ app: { ...desired, name: 'New', category: '', version: '2' }, source: { ...from, generation: 2n } });
    expect(updated).toMatchObject({ id: created.id, change: Change.UPDATED, drifted: false });
    expect(updated.revision).toBeGreaterThan(created.revision);
    expect(Object.fromEntries(updated.differences.map(({ field, before, after }) => [field, [before, after]]))).toEqual({ name: [JSON.stringify(desired.name), '"New"'], category: ['"old"', 'null'], version: ['null', '"2"'] });
  });

  it('undoes a foreign edit and calls it drift', async () => {
    const [desired, from] = [app(), source()];
    await registry.applyApp({ app: desired, source: from });
    await candidate.rename(desired.slug, 'By hand');
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.UPDATED, drifted: true, differences: [{ field: 'name', before: '"By hand"', after: JSON.stringify(desired.name) }] });
    expect((await entryOf(desired.slug))?.app?.name).toBe(desired.name);
  });

  it('follows the steps of a roll-out without calling them drift', async () => {
    const [desired, from] = [app({ uiUrl: 'https://example.org/ui', version: '1' }), source()];
    const canary = { uiUrl: 'https://example.org/new', version: '2', metadata: { a: 1 }, navigation: [{ title: 'Home', path: '/' }], percent: 10 };
    const created = await registry.applyApp({ app: app({ ...desired, organizationPercent: 20 } as App), source: { ...from, step: '20/-' } });
    const next = { app: app({ ...desired, organizationPercent: 60, uiCanary: canary } as App), source: { ...from, step: '60/10' } as Source };
    const stepped = await registry.applyApp(next);
    expect(stepped).toMatchObject({ id: created.id, change: Change.UPDATED, drifted: false });
    expect(stepped.differences.map(({ field }) => field).sort()).toEqual(['organizationPercent', 'uiCanary']);
    expect(await registry.applyApp(next)).toMatchObject({ change: Change.UNCHANGED, revision: stepped.revision, drifted: false });
    expect(await entryOf(desired.slug)).toMatchObject({ source: { step: '60/10' }, app: { organizationPercent: 60, uiCanary: canary } });
    await candidate.rename(desired.slug, 'By hand');
    expect(await registry.applyApp(next)).toMatchObject({ drifted: true, differences: [{ field: 'name' }] });
    await registry.applyApp({ app: app({ ...desired, uiUrl: canary.uiUrl, version: '2' } as App), source: { ...from, step: '100/-' } });
    const entry = await entryOf(desired.slug);
    expect([entry?.app?.organizationPercent, entry?.app?.uiCanary, entry?.app?.version]).toEqual([100, undefined, '2']);
  });

  it('does the same by the call that only registries with shares know, and says that it has it', async () => {
    const [desired, from] = [app({ organizationPercent: 20 }), source({ step: '20/-' })];
    expect(await codeOf(registry.rollOutApp({}))).toBe(Code.InvalidArgument);
    expect(await codeOf(registry.rollOutApp({ apply: { app: app({ organizationPercent: 101 }), source: source() } }))).toBe(Code.InvalidArgument);
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ change: Change.CREATED, rollsOut: true });
    const { applied } = await registry.rollOutApp({ apply: { app: desired, source: from } });
    expect(applied).toMatchObject({ change: Change.CREATED, drifted: false });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ id: applied?.id, change: Change.UNCHANGED, revision: applied?.revision });
    expect(await codeOf(registry.rollOutApp({ apply: { app: desired, source: source() } }))).toBe(Code.AlreadyExists);
    expect((await entryOf(desired.slug))?.app?.organizationPercent).toBe(20);
  });

  it('says of a call of tomorrow that there is none', async () => {
    const transport = createConnectTransport({ baseUrl: `${candidate.shellUrl}/api`, httpVersion: '1.1' });
    const tomorrow = { ...AppRegistry.method.rollOutApp, name: 'CallOfTomorrow' };
    const headers = { authorization: `Bearer ${await connected().tokens.token()}` };
    expect(await codeOf(transport.unary(tomorrow, undefined, undefined, headers, {}))).toBe(Code.Unimplemented);
  });

  it('keeps pilots only beside a share of all', async () => {
    const [desired, from] = [app(), source()];
    const slugsAt = async (organizationPercent: number, step: string) => {
      await registry.applyApp({ app: app({ slug: desired.slug, organizations: { all: true, slugs: ['pilot'] }, organizationPercent }), source: { ...from, step } });
      return (await entryOf(desired.slug))?.app?.organizations?.slugs;
    };
    expect([await slugsAt(50, '50/-'), await slugsAt(0, '100/-')]).toEqual([['pilot'], []]);
  });

  it('refuses shares that are none, and an endless step', async () => {
    const desired = app();
    for (const over of [{ organizationPercent: 101 }, { organizationPercent: -1 }, { uiCanary: { uiUrl: '/ui', percent: 0 } }, { uiCanary: { uiUrl: '/ui', percent: 101 } }]) {
      expect(await codeOf(registry.applyApp({ app: app({ slug: desired.slug, ...over }), source: source() }))).toBe(Code.InvalidArgument);
    }
    expect(await codeOf(registry.applyApp({ app: desired, source: source({ step: 'x'.repeat(65) }) }))).toBe(Code.InvalidArgument);
    expect(await entryOf(desired.slug)).toBeUndefined();
  });

  it('does many calls at once, and leaves out what it would refuse', async () => {
    const [first, second, third, from, other] = [app(), app(), app(), source(), source()];
    const changes = async (calls: Parameters<typeof registry.applyApps>[0]['calls']) => (await registry.applyApps({ calls })).answers.map(({ applied }) => applied?.change);
    expect(await changes([{ app: first, source: from }, { app: app({ slug: 'not a slug' }), source: source() }, { app: second, source: other }, {}])).toEqual([Change.CREATED, undefined, Change.CREATED, undefined]);
    expect(await changes([{ app: first, source: other }, { app: third, source: source() }])).toEqual([undefined, Change.CREATED]);
    expect([await codeOf(registry.applyApp({ app: first, source: other })), (await entryOf(first.slug))?.source?.uid]).toEqual([Code.AlreadyExists, from.uid]);
    const reported = await registry.reportApps({ calls: [{ slug: first.slug, source: from, report: report() }, { slug: first.slug, source: other, report: report() }, { slug: 'nobody-has-this', source: from, report: report() }] });
    expect(reported.answers.map((answer) => answer.reported?.written)).toEqual([true, undefined, undefined]);
    expect(await codeOf(registry.applyApps({ calls: Array.from({ length: 65 }, () => ({})) }))).toBe(Code.InvalidArgument);
  });

  it('plans without writing, with the same refusals', async () => {
    const [desired, from] = [app(), source()];
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ change: Change.CREATED, differences: [] });
    expect(await entryOf(desired.slug)).toBeUndefined();
    await registry.applyApp({ app: desired, source: from });
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ change: Change.UNCHANGED, differences: [] });
    expect(await registry.planApp({ app: { ...desired, icon: 'star' }, source: from })).toMatchObject({ change: Change.UPDATED, differences: [{ field: 'icon', before: 'null', after: '"star"' }] });
    expect((await entryOf(desired.slug))?.app?.icon).toBe('');
    expect(await codeOf(registry.planApp({ app: desired, source: source() }))).toBe(Code.AlreadyExists);
  });

  it('keeps a slug for its object, even against force', async () => {
    const desired = app();
    await registry.applyApp({ app: desired, source: source() });
    expect(await codeOf(registry.applyApp({ app: desired, source: source() }))).toBe(Code.AlreadyExists);
    expect(await codeOf(registry.applyApp({ app: desired, source: source(), force: true }))).toBe(Code.AlreadyExists);
  });

  it('goes on with an object that was deleted and made again under its name', async () => {
    const [desired, from] = [app(), source({ generation: 7n })];
    const { id } = await registry.applyApp({ app: desired, source: from });
    expect((await registry.applyApp({ app: desired, source: { ...from, uid: randomUUID(), generation: 1n } })).id).toBe(id);
  });

  it('keeps names of permissions and limits for the app that uses them', async () => {
    const owner = app({ slug: 'owner-app', permissions: [{ code: 'borrowed.files:read' }] });
    await registry.applyApp({ app: owner, source: source() });
    for (const declared of [{ permissions: [{ code: 'borrowed.files:read' }] }, { permissions: [{ code: 'borrowed.files:write' }] }, { limitKeys: [{ key: 'owner-app.bytes' }] }]) {
      expect(await codeOf(registry.applyApp({ app: app(declared), source: source() }))).toBe(Code.AlreadyExists);
    }
  });

  it('refuses an older generation', async () => {
    const [desired, from] = [app(), source({ generation: 5n })];
    await registry.applyApp({ app: desired, source: from });
    expect(await codeOf(registry.applyApp({ app: { ...desired, name: 'old' }, source: { ...from, generation: 4n } }))).toBe(Code.FailedPrecondition);
    expect((await entryOf(desired.slug))?.app?.name).toBe(desired.name);
  });

  it('leaves an entry of the administrators unless forced', async () => {
    const desired = app({ slug: 'by-hand' });
    await candidate.addByHand('by-hand');
    expect(await codeOf(registry.applyApp({ app: desired, source: source() }))).toBe(Code.FailedPrecondition);
    expect(await codeOf(registry.planApp({ app: desired, source: source() }))).toBe(Code.FailedPrecondition);
    expect(await registry.applyApp({ app: desired, source: source(), force: true })).toMatchObject({ change: Change.UPDATED, drifted: false });
    expect((await entryOf('by-hand'))?.managedBy).toBe('operator');
  });

  it('refuses what is incomplete or wrong, and writes nothing', async () => {
    const desired = app();
    for (const request of [{}, { app: app({ slug: 'No Slug' }), source: source() }, { app: desired, source: source({ uid: '' }) }, { app: desired, source: source({ name: '' }) }, { app: desired, source: source({ generation: 0n }) }]) {
      expect(await codeOf(registry.applyApp(request))).toBe(Code.InvalidArgument);
    }
    expect(await entryOf(desired.slug)).toBeUndefined();
  });

  it('removes what belongs to the object, and nothing else', async () => {
    const [desired, from] = [app(), source()];
    const { revision } = await registry.applyApp({ app: desired, source: from });
    expect(await registry.removeApp({ slug: desired.slug, source: source() })).toMatchObject({ change: Change.UNCHANGED, revision: 0n });
    const removed = await registry.removeApp({ slug: desired.slug, source: from });
    expect(removed.change).toBe(Change.REMOVED);
    expect(removed.revision).toBeGreaterThan(revision);
    expect(removed.cachedRevision).toBeGreaterThanOrEqual(removed.revision);
    expect(await entryOf(desired.slug)).toBeUndefined();
    expect(await registry.removeApp({ slug: desired.slug, source: from })).toMatchObject({ change: Change.UNCHANGED, revision: 0n });
    expect((await registry.applyApp({ app: desired, source: from })).change).toBe(Change.CREATED);
  });

  it('gives an orphan to the administrators', async () => {
    const [desired, from] = [app(), source()];
    await registry.applyApp({ app: desired, source: from });
    expect((await registry.removeApp({ slug: desired.slug, source: from, orphan: true })).change).toBe(Change.ORPHANED);
    const entry = await entryOf(desired.slug);
    expect([entry?.managedBy, entry?.source]).toEqual(['api', undefined]);
    expect(await codeOf(registry.applyApp({ app: desired, source: from }))).toBe(Code.FailedPrecondition);
  });

  it('lists in pages, by slug and by who manages', async () => {
    for (const n of [1, 2, 3]) await registry.applyApp({ app: app({ slug: `zz-page-${n}` }), source: source() });
    const first = await registry.listApps({ managedBy: 'operator', pageSize: 2, pageToken: 'zz-page-' });
    expect([first.apps.map(({ app: listed }) => listed?.slug), first.nextPageToken]).toEqual([['zz-page-1', 'zz-page-2'], 'zz-page-2']);
    const last = await registry.listApps({ managedBy: 'operator', pageSize: 2, pageToken: first.nextPageToken });
    expect([last.apps.map(({ app: listed }) => listed?.slug), last.nextPageToken]).toEqual([['zz-page-3'], '']);
    expect((await registry.listApps({ managedBy: 'seed' })).apps).toEqual([]);
    expect(await codeOf(registry.listApps({ pageSize: 501 }))).toBe(Code.InvalidArgument);
  });

  it('removes nothing that was written after it was seen', async () => {
    const [desired, from] = [app(), source()];
    const { revision } = await registry.applyApp({ app: desired, source: from });
    const { revision: later } = await registry.applyApp({ app: { ...desired, name: 'Later' }, source: { ...from, generation: 2n } });
    expect((await registry.removeApp({ slug: desired.slug, source: from, ifRevision: revision })).change).toBe(Change.UNCHANGED);
    expect((await registry.removeApp({ slug: desired.slug, source: from, ifRevision: later })).change).toBe(Change.REMOVED);
  });

  it('keeps apart objects of the same name in two installations', async () => {
    const [desired, from] = [app(), source({ installation: 'one', deletionPolicy: 'Delete' })];
    const { id, revision } = await registry.applyApp({ app: desired, source: from });
    const foreign = { ...from, uid: randomUUID(), installation: 'two' };
    for (const installation of ['two', '']) expect(await codeOf(registry.applyApp({ app: desired, source: { ...foreign, installation } }))).toBe(Code.AlreadyExists);
    expect((await registry.removeApp({ slug: desired.slug, source: { ...foreign, installation: '' } })).change).toBe(Change.UNCHANGED);
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: foreign, report: report() }))).toBe(Code.AlreadyExists);
    expect((await registry.removeApp({ slug: desired.slug, source: foreign })).change).toBe(Change.UNCHANGED);
    expect(await registry.applyApp({ app: desired, source: { ...from, installation: '', deletionPolicy: '' } })).toMatchObject({ id, revision });
    expect((await registry.listApps({ installation: 'one' })).apps).toMatchObject([{ app: { slug: desired.slug }, source: { installation: 'one', deletionPolicy: 'Delete' } }]);
    expect((await registry.listApps({ installation: 'two' })).apps).toEqual([]);
    expect(await registry.applyApp({ app: desired, source: { ...from, deletionPolicy: 'Orphan' } })).toMatchObject({ change: Change.UNCHANGED, drifted: false });
    expect((await entryOf(desired.slug))?.source?.deletionPolicy).toBe('Orphan');
    expect(await codeOf(registry.applyApp({ app: desired, source: { ...from, deletionPolicy: 'Burn' } }))).toBe(Code.InvalidArgument);
  });

  it('wants a service token', async () => {
    const nobody = connectRegistry({ shellUrl: candidate.shellUrl, tokens: { token: () => Promise.resolve('nonsense'), forget: () => undefined } });
    expect(await codeOf(nobody.registry.listApps({}))).toBe(Code.Unauthenticated);
    nobody.close();
  });
});
