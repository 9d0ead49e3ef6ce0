import { randomUUID } from 'node:crypto';
import { Code, ConnectError, createClient, type Client } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { AppRegistry, Change, type AppSchema } from '@satellite/proto/registry/v1';
import { OPERATOR, useShell } from './support/shell.js';

const shell = useShell();
type App = MessageInitShape<typeof AppSchema>;
interface Feed { slug: string; uiUrl: string; remoteEntry: string; version: string; metadata: Record<string, unknown> }
interface Organization { id: string; slug: string; token: string }

let registry: Client<typeof AppRegistry>;
let admin: string;
let organizations: Organization[];
beforeAll(async () => {
  const { accessToken } = (await shell().as().post('/api/auth/service-token').send(OPERATOR).expect(200)).body.data;
  registry = createClient(AppRegistry, createConnectTransport({
    baseUrl: `${shell().url}/api`, httpVersion: '1.1',
    interceptors: [(next) => (request) => { request.header.set('authorization', `Bearer ${accessToken}`); return next(request); }],
  }));
  admin = await (await shell().organization()).member(['apps:read', 'apps:write', 'apps:delete', 'apps:list', 'audit:read', 'settings:read']);
  organizations = await Promise.all(Array.from({ length: 24 }, async () => {
    const { id, slug, member } = await shell().organization();
    return { id, slug, token: await member() };
  }));
});

/** An app of an object of its own; every call is a step of its roll-out. */
function object(over: App = {}) {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  const source = { uid: randomUUID(), generation: 1n, namespace: 'default', name: slug };
  const app = (changes: App): App => ({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api`, uiUrl: 'https://old.example.org/ui', version: '1.0.0', organizations: { all: true }, ...over, ...changes }) as App;
  return {
    slug,
    apply: (step: string, changes: App = {}) => registry.applyApp({ app: app(changes), source: { ...source, step } }),
    plan: (step: string, changes: App) => registry.planApp({ app: app(changes), source: { ...source, step } }),
  };
}
const canary = (percent: number, over: object = {}) => ({ uiUrl: 'https://new.example.org/ui', version: '2.0.0', metadata: { theme: 'new' }, navigation: [{ title: 'New', path: '/new' }], percent, ...over });
const feedOf = async (slug: string, token?: string): Promise<Feed | undefined> => ((await shell().as(token).get('/api/config/apps').expect(200)).body.data as Feed[]).find((app) => app.slug === slug);
/** Ids of the organizations for which `holds`. */
async function those(slug: string, holds: (app: Feed | undefined) => boolean): Promise<string[]> {
  const seen = await Promise.all(organizations.map(async ({ id, token }) => [id, holds(await feedOf(slug, token))] as const));
  return seen.flatMap(([id, held]) => (held ? [id] : []));
}
const idOf = async (slug: string): Promise<string> => (await registry.listApps({ slug })).apps[0]?.id ?? '';
async function enablements(slug: string): Promise<{ organizationId: string; enabled: boolean; decidedBy: string; frontEnd: string; version: string }[]> {
  return (await shell().as(admin).get(`/api/admin/apps/${await idOf(slug)}/organizations`).expect(200)).body.data;
}

describe('a roll-out in the registry', () => {
  it.each<[string, App]>([
    ['organizationPercent', { organizationPercent: 101 }],
    ['organizationPercent', { organizationPercent: -1 }],
    ['uiCanary.percent', { uiCanary: canary(0) }],
    ['uiCanary.percent', { uiCanary: canary(101) }],
    ['uiCanary.uiUrl', { uiCanary: canary(10, { uiUrl: 'javascript:alert(1)' }) }],
    ['uiCanary.version', { uiCanary: canary(10, { version: 'x'.repeat(65) }) }],
    ['uiCanary.metadata', { uiCanary: canary(10, { metadata: { big: 'x'.repeat(20_000) } }) }],
    ['uiCanary.navigation.0.path', { uiCanary: canary(10, { navigation: [{ title: 'x', path: 'https://evil.test' }] }) }],
  ])('is refused with a wrong %s', async (field, over) => {
    const app = object(over);
    const error = await app.apply('1').then(() => undefined, (thrown: unknown) => ConnectError.from(thrown));
    expect([error?.code, error?.rawMessage]).toEqual([Code.InvalidArgument, expect.stringContaining(field)]);
    expect(await idOf(app.slug)).toBe('');
  });

  it('refuses administrators the same, and a step that is too long', async () => {
    const { slug, apply } = object();
    await apply('1');
    for (const body of [{ organizationPercent: 0 }, { organizationPercent: 1.5 }, { uiCanary: canary(10, { extra: true }) }]) await shell().as(admin).put(`/api/admin/apps/${await idOf(slug)}?force=true`).send(body).expect(400);
    expect(ConnectError.from(await apply('x'.repeat(65)).catch((error: unknown) => error)).code).toBe(Code.InvalidArgument);
  });

  it('is no drift when its steps change the entry, and drift when somebody else does', async () => {
    const { slug, apply } = object();
    await apply('10', { organizationPercent: 10 });
    expect(await apply('50', { organizationPercent: 50 })).toMatchObject({ change: Change.UPDATED, drifted: false, differences: [{ field: 'organizationPercent', before: '10', after: '50' }] });
    const same = await apply('50', { organizationPercent: 50 });
    expect(same).toMatchObject({ change: Change.UNCHANGED, drifted: false });
    await shell().as(admin).put(`/api/admin/apps/${await idOf(slug)}?force=true`).send({ organizationPercent: 100 }).expect(200);
    expect(await apply('50', { organizationPercent: 50 })).toMatchObject({ change: Change.UPDATED, drifted: true, differences: [{ field: 'organizationPercent', before: '100', after: '50' }] });
    expect((await registry.listApps({ slug })).apps[0]).toMatchObject({ app: { organizationPercent: 50 }, source: { step: '50' } });
  });

  it('is planned without being written', async () => {
    const { slug, apply, plan } = object();
    const { revision } = await apply('');
    expect(await plan('5', { uiCanary: canary(5) })).toMatchObject({ change: Change.UPDATED, differences: [{ field: 'uiCanary', before: 'null', after: expect.stringContaining('2.0.0') }] });
    expect((await registry.listApps({ slug })).apps[0]?.revision).toBe(revision);
  });

  it('stands in the audit trail, of metadata only the names', async () => {
    const { slug, apply } = object();
    await apply('');
    await apply('5', { uiCanary: canary(5, { metadata: { secret: 'do-not-tell' } }) });
    const [row] = await shell().query<{ after: { uiCanary: unknown } }>(`select after from audit_entries where action = 'apps.apply' and target_id = ? order by seq desc limit 1`, [await idOf(slug)]);
    expect(row?.after.uiCanary).toEqual({ uiUrl: 'https://new.example.org/ui', version: '2.0.0', metadata: ['secret'], navigation: [{ title: 'New', path: '/new' }], percent: 5 });
  });
});

describe('an app that comes to a share of the organizations', () => {
  it('is in the launchpads of a growing, never shrinking set, and then of all', async () => {
    const { slug, apply } = object();
    let before: string[] = [];
    for (const percent of [20, 50, 80]) {
      await apply(String(percent), { organizationPercent: percent });
      const having = await those(slug, (app) => app !== undefined);
      expect(having).toEqual(expect.arrayContaining(before));
      before = having;
    }
    // a fair choice of 80 % takes none of 24 organizations less than once in 10^16 runs
    expect(before.length).toBeGreaterThan(0);
    expect(await feedOf(slug)).toBeUndefined();
    await apply('100');
    expect(await those(slug, (app) => app !== undefined)).toHaveLength(24);
    expect(await feedOf(slug)).toBeDefined();
  });

  it('is there for listed organizations whatever the share', async () => {
    const [pilot] = organizations as [Organization];
    const { slug, apply } = object();
    await apply('1', { organizationPercent: 1, organizations: { all: true, slugs: [pilot.slug] } });
    expect(await those(slug, (app) => app !== undefined)).toContain(pilot.id);
    expect((await enablements(slug)).find(({ organizationId }) => organizationId === pilot.id)).toMatchObject({ enabled: true, decidedBy: 'selection' });
  });

  it('gives no tokens to the others, and obeys the administrator\'s switch against its share', async () => {
    const { slug, apply } = object();
    await apply('50', { organizationPercent: 50 });
    const having = await those(slug, (app) => app !== undefined);
    const list = await enablements(slug);
    for (const { id } of organizations) expect(list.find(({ organizationId }) => organizationId === id)).toMatchObject({ enabled: having.includes(id), decidedBy: 'share', frontEnd: 'stable', version: '1.0.0' });
    for (const { id, token } of organizations) {
      const exchange = async (): Promise<number> => (await shell().as(token).post('/api/auth/exchange').send({ service: slug })).status;
      expect(await exchange()).toBe(having.includes(id) ? 200 : 403);
      await shell().as(admin).put(`/api/admin/apps/${await idOf(slug)}/organizations/${id}`).send({ enabled: !having.includes(id) }).expect(200);
      expect([await exchange(), (await feedOf(slug, token)) !== undefined]).toEqual(having.includes(id) ? [403, false] : [200, true]);
    }
  });
});

describe('a front-end that comes to a share of the organizations', () => {
  it('is the newer one for a growing set and the stable one for the others and for nobody', async () => {
    const { slug, apply } = object({ metadata: { theme: 'old' } });
    await apply('');
    let before: string[] = [];
    for (const percent of [30, 70]) {
      await apply(String(percent), { uiCanary: canary(percent) });
      const having = await those(slug, (app) => app?.version === '2.0.0');
      expect(having).toEqual(expect.arrayContaining(before));
      expect(await those(slug, (app) => app?.version === '1.0.0')).toHaveLength(24 - having.length);
      before = having;
    }
    const [one, other] = [organizations.find(({ id }) => before.includes(id)), organizations.find(({ id }) => !before.includes(id))];
    if (one) expect(await feedOf(slug, one.token)).toMatchObject({ uiUrl: 'https://new.example.org/ui', remoteEntry: 'https://new.example.org/ui/remoteEntry.js', version: '2.0.0', metadata: { theme: 'new', navigation: [{ title: 'New', path: '/new' }] } });
    for (const token of [other?.token, undefined]) expect(await feedOf(slug, token)).toMatchObject({ uiUrl: 'https://old.example.org/ui', version: '1.0.0', metadata: { theme: 'old', navigation: [] } });
    if (one && other) expect(Object.keys((await feedOf(slug, one.token)) ?? {})).toEqual(Object.keys((await feedOf(slug, other.token)) ?? {}));
    const list = await enablements(slug);
    for (const { id } of organizations) expect(list.find(({ organizationId }) => organizationId === id)).toMatchObject(before.includes(id) ? { frontEnd: 'canary', version: '2.0.0' } : { frontEnd: 'stable', version: '1.0.0' });
  });

  it('changes the entity tag of every organization that it reaches, and 304 until then', async () => {
    const { slug, apply } = object();
    await apply('');
    const [{ token }] = organizations as [Organization];
    const first = await shell().as(token).get('/api/config/apps').expect(200);
    await shell().as(token).get('/api/config/apps').set('if-none-match', first.headers['etag'] ?? '').expect(304);
    await apply('100', { uiCanary: canary(100) });
    const second = await shell().as(token).get('/api/config/apps').set('if-none-match', first.headers['etag'] ?? '').expect(200);
    expect((second.body.data as Feed[]).find((app) => app.slug === slug)?.version).toBe('2.0.0');
    await apply('back');
    const third = await shell().as(token).get('/api/config/apps').set('if-none-match', second.headers['etag'] ?? '').expect(200);
    expect((third.body.data as Feed[]).find((app) => app.slug === slug)?.version).toBe('1.0.0');
  });

  it('may be loaded by the page of the Shell, like the stable one', async () => {
    const { apply } = object({ uiUrl: 'https://stable.rolled.example.org/ui' });
    await apply('5', { uiCanary: canary(5, { uiUrl: 'https://canary.rolled.example.org/ui' }) });
    expect(await shell().shell.container.appOrigins()).toEqual(expect.arrayContaining(['https://stable.rolled.example.org', 'https://canary.rolled.example.org']));
  });

  it('reaches other processes, and comes from the database when Redis has lost it', async () => {
    const second = await shell().second();
    const { slug, apply } = object();
    await apply('100', { uiCanary: canary(100) });
    const [{ token }] = organizations as [Organization];
    const versionThere = async (): Promise<string | undefined> => ((await second.as(token).get('/api/config/apps').expect(200)).body.data as Feed[]).find((app) => app.slug === slug)?.version;
    await shell().redis.flushall();
    expect(await versionThere()).toBe('2.0.0');
    expect(await feedOf(slug, token)).toMatchObject({ version: '2.0.0' });
    await second.stop();
  });

  it('is ended by administrators when its object is gone and its entry was left to them', async () => {
    const { slug, apply } = object();
    await apply('30', { uiCanary: canary(100) });
    const [entry] = (await registry.listApps({ slug })).apps;
    await registry.removeApp({ slug, source: entry?.source as never, orphan: true });
    const { data } = (await shell().as(admin).put(`/api/admin/apps/${entry?.id}`).send({ uiCanary: null }).expect(200)).body;
    expect(data).toMatchObject({ uiCanary: null, version: '1.0.0', managedBy: 'api', source: null });
    expect(await feedOf(slug, organizations[0]?.token)).toMatchObject({ version: '1.0.0' });
  });
});
