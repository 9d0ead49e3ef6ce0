import { randomUUID } from 'node:crypto';
import { Code, type Client } from '@connectrpc/connect';
import { Change, type AppRegistry } from '@satellite/proto/registry/v1';
import { app, codeOf, operatorRegistry, registryClient, source } from './support/registry.js';
import { useShell } from './support/shell.js';

const shell = useShell();
let registry: Client<typeof AppRegistry>;
let admin: string;
const client = (token?: string): Client<typeof AppRegistry> => registryClient(shell().url, token);
beforeAll(async () => {
  registry = await operatorRegistry(shell());
  admin = await (await shell().organization()).member(['apps:read', 'apps:write', 'apps:delete', 'apps:list']);
});
const entry = async (slug: string) => (await registry.listApps({ slug })).apps[0];

describe('the operator\'s registry', () => {
  it('refuses callers without a service token, or without the permission', async () => {
    const person = await (await shell().organization()).member(['apps:write', 'registry:write']);
    expect((await codeOf(client().applyApp({})))[0]).toBe(Code.Unauthenticated);
    expect((await codeOf(client(person).applyApp({})))[0]).toBe(Code.Unauthenticated);
    await shell().query(`update service_clients set permissions = '{registry:read}' where client_id = 'operator'`);
    expect((await codeOf(registry.applyApp({ app: app(), source: source() })))[0]).toBe(Code.PermissionDenied);
    await registry.listApps({});
    await shell().query(`update service_clients set permissions = '{registry:read,registry:write}' where client_id = 'operator'`);
  });

  it('refuses a bad entry, naming the field, and writes nothing', async () => {
    const slug = 'lying-app';
    const [code, message] = await codeOf(registry.applyApp({ app: app({ slug, apiUrl: 'javascript:alert(1)' }), source: source() }));
    expect([code, message]).toEqual([Code.InvalidArgument, expect.stringContaining('apiUrl: must be an http(s) address')]);
    expect((await codeOf(registry.applyApp({ app: app({ slug }), source: { generation: 0n } })))[0]).toBe(Code.InvalidArgument);
    expect((await codeOf(registry.applyApp({})))[0]).toBe(Code.InvalidArgument);
    expect(await entry(slug)).toBeUndefined();
  });

  it('creates, then changes only what differs, then nothing', async () => {
    const [desired, from] = [app({ metadata: { tier: 1 }, permissions: [], navigation: [{ title: 'Home', path: '/' }] }), source()];
    const created = await registry.applyApp({ app: desired, source: from });
    expect(created).toMatchObject({ change: Change.CREATED, cachedRevision: created.revision, drifted: false });
    const again = await registry.applyApp({ app: desired, source: from });
    expect(again).toMatchObject({ id: created.id, change: Change.UNCHANGED, revision: created.revision });
    const updated = await registry.applyApp({ app: { ...desired, name: 'New name' }, source: { ...from, generation: 2n } });
    expect(updated).toMatchObject({ id: created.id, change: Change.UPDATED, drifted: false });
    expect(updated.differences).toMatchObject([{ field: 'name', after: '"New name"' }]);
    expect(await entry(desired.slug ?? '')).toMatchObject({ managedBy: 'operator', source: from && { uid: from.uid, generation: 2n }, revision: updated.revision, cachedRevision: updated.revision });
  });

  it('says when a foreign edit was undone', async () => {
    const [desired, from] = [app(), source()];
    const { id } = await registry.applyApp({ app: desired, source: from });
    await shell().as(admin).put(`/api/admin/apps/${id}?force=true`).send({ name: 'Edited by hand' }).expect(200);
    const applied = await registry.applyApp({ app: desired, source: from });
    expect(applied).toMatchObject({ change: Change.UPDATED, drifted: true, differences: [{ field: 'name', before: '"Edited by hand"' }] });
  });

  it('plans without writing', async () => {
    const [desired, from] = [app(), source()];
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ change: Change.CREATED });
    expect(await entry(desired.slug ?? '')).toBeUndefined();
    await registry.applyApp({ app: desired, source: from });
    expect(await registry.planApp({ app: { ...desired, category: 'new' }, source: from })).toMatchObject({ change: Change.UPDATED, differences: [{ field: 'category', before: 'null', after: '"new"' }] });
    expect((await entry(desired.slug ?? ''))?.app?.category).toBe('');
  });

  it('keeps a slug for the first object, also under parallel claims', async () => {
    const desired = app();
    const claims = await Promise.allSettled(Array.from({ length: 10 }, () => registry.applyApp({ app: desired, source: source() })));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [code, message] = await codeOf(registry.applyApp({ app: desired, source: source(), force: true }));
    expect([code, message]).toEqual([Code.AlreadyExists, expect.stringContaining(`The slug "${desired.slug}" is taken by default/`)]);
  });

  it('goes on with an object that was deleted and made again under the same name', async () => {
    const [desired, from] = [app(), source()];
    const { id } = await registry.applyApp({ app: desired, source: { ...from, generation: 7n } });
    const applied = await registry.applyApp({ app: desired, source: { ...from, uid: randomUUID(), generation: 1n } });
    expect(applied.id).toBe(id);
  });

  it('refuses an older generation of the same object', async () => {
    const [desired, from] = [app(), source({ generation: 5n })];
    await registry.applyApp({ app: desired, source: from });
    expect((await codeOf(registry.applyApp({ app: { ...desired, name: 'old' }, source: { ...from, generation: 4n } })))[0]).toBe(Code.FailedPrecondition);
  });

  it('takes an entry of the administrators only by force', async () => {
    const desired = app();
    const { organizations: _all, ...body } = desired;
    await shell().as(admin).post('/api/admin/apps').send(body).expect(201);
    expect((await codeOf(registry.applyApp({ app: desired, source: source() })))[0]).toBe(Code.FailedPrecondition);
    await registry.applyApp({ app: desired, source: source(), force: true });
    expect((await entry(desired.slug ?? ''))?.managedBy).toBe('operator');
  });

  it('removes, orphans, and leaves what belongs to another object', async () => {
    const [gone, kept, from] = [app(), app(), source()];
    await registry.applyApp({ app: gone, source: from });
    await registry.applyApp({ app: kept, source: from });
    const slug = gone.slug ?? '';
    expect(await registry.removeApp({ slug, source: source() })).toMatchObject({ change: Change.UNCHANGED });
    const removed = await registry.removeApp({ slug, source: from });
    expect(removed).toMatchObject({ change: Change.REMOVED, cachedRevision: removed.revision });
    expect(await registry.removeApp({ slug, source: from })).toMatchObject({ change: Change.UNCHANGED });
    expect(await registry.removeApp({ slug: kept.slug ?? '', source: from, orphan: true })).toMatchObject({ change: Change.ORPHANED });
    expect(await entry(kept.slug ?? '')).toMatchObject({ managedBy: 'api' });
  });

  it('lists in pages', async () => {
    for (const n of [1, 2, 3]) await registry.applyApp({ app: app({ slug: `page-${n}` }), source: source() });
    const seen: string[] = [];
    let pageToken = 'page-';
    do {
      const page = await registry.listApps({ managedBy: 'operator', pageSize: 2, pageToken });
      seen.push(...page.apps.map(({ app: listed }) => listed?.slug ?? ''));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen.slice(0, 3)).toEqual(['page-1', 'page-2', 'page-3']);
    expect((await codeOf(registry.listApps({ pageSize: 501 })))[0]).toBe(Code.InvalidArgument);
  });

  it('writes the registry although Redis is away, and says that the cache is not there', async () => {
    const evil = jest.spyOn(shell().redis, 'hget').mockRejectedValue(new Error('Connection is closed.'));
    const applied = await registry.applyApp({ app: app({ slug: 'no-redis' }), source: source() });
    evil.mockRestore();
    expect(applied).toMatchObject({ change: Change.CREATED, cachedRevision: 0n });
    expect((await shell().as().get('/api/config/apps')).body.data).toEqual(expect.arrayContaining([expect.objectContaining({ slug: 'no-redis' })]));
  });
});
