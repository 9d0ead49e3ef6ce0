import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { useShell, type TestShell } from './support/shell.js';

const shell = useShell();
let admin: string;
beforeAll(async () => {
  admin = await (await shell().organization()).member(['apps:list', 'apps:read', 'apps:write', 'apps:delete']);
});

interface Feed { slug: string; [field: string]: unknown }
async function feed(token?: string, on: TestShell = shell()): Promise<Feed[]> {
  return (await on.as(token).get('/api/config/apps').expect(200)).body.data;
}
const names = async (token?: string, on?: TestShell): Promise<string[]> => (await feed(token, on)).map(({ slug }) => slug);
async function register(over: object = {}): Promise<{ id: string; slug: string }> {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  const { data } = (await shell().as(admin).post('/api/admin/apps').send({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api`, ...over }).expect(201)).body;
  return data;
}

describe('the launchpad feed', () => {
  it('refuses a bad token instead of answering as to nobody', async () => {
    await shell().as('bad').get('/api/config/apps').expect(401);
    await shell().as().get('/api/config/apps').set('authorization', 'Basic YWJj').expect(401);
  });

  it('lists active apps with what a host needs to load them', async () => {
    const { slug } = await register({ name: 'Ledger', uiUrl: '/ledger/ui', icon: 'book', category: 'finance', version: '2.0.0', metadata: { theme: 'green' }, permissions: [{ code: `ledger-x:read` }], navigation: [{ title: 'Home', path: '/' }] });
    expect((await feed()).find((app) => app.slug === slug)).toEqual({
      slug, name: 'Ledger', type: 'satellite', uiUrl: '/ledger/ui', apiUrl: `/${slug}/api`, icon: 'book', description: null, category: 'finance', remoteEntry: '/ledger/ui/remoteEntry.js', version: '2.0.0', status: 'active',
      metadata: { remoteName: slug, exposedModule: './App', theme: 'green', navigation: [{ title: 'Home', path: '/' }], permissions: ['ledger-x:read'] },
    });
  });

  it.each(['inactive', 'maintenance', 'degraded'])('leaves %s apps out', async (status) => {
    const { slug } = await register({ status });
    expect(await names()).not.toContain(slug);
  });

  it('shows a change at once, and 304 until the next one', async () => {
    const { id, slug } = await register();
    const first = await shell().as().get('/api/config/apps').expect(200);
    await shell().as().get('/api/config/apps').set('if-none-match', first.headers['etag'] ?? '').expect(304);
    await shell().as(admin).put(`/api/admin/apps/${id}`).send({ status: 'inactive' }).expect(200);
    const second = await shell().as().get('/api/config/apps').set('if-none-match', first.headers['etag'] ?? '').expect(200);
    expect(second.body.data.map((app: Feed) => app.slug)).not.toContain(slug);
    await shell().as(admin).delete(`/api/admin/apps/${id}`).expect(204);
    expect((await shell().as().get('/api/config/apps')).headers['etag']).not.toBe(second.headers['etag']);
  });

  it('is filtered for an organization by selection and switch', async () => {
    const [org, other] = [await shell().organization(), await shell().organization()];
    const [mine, theirs] = [await org.member(), await other.member()];
    const all = await register();
    const listed = await register({ organizations: { all: false, slugs: [org.slug, 'not-there-yet'] } });
    expect(await names(mine)).toEqual(expect.arrayContaining([all.slug, listed.slug]));
    expect(await names(theirs)).toContain(all.slug);
    expect(await names(theirs)).not.toContain(listed.slug);
    await shell().as(admin).put(`/api/admin/apps/${all.id}/organizations/${org.id}`).send({ enabled: false }).expect(200);
    await shell().as(admin).put(`/api/admin/apps/${listed.id}/organizations/${other.id}`).send({ enabled: true }).expect(200);
    expect(await names(mine)).not.toContain(all.slug);
    expect(await names(theirs)).toEqual(expect.arrayContaining([all.slug, listed.slug]));
    const { data } = (await shell().as(admin).get(`/api/admin/apps/${all.id}/organizations`).expect(200)).body;
    expect(data).toEqual(expect.arrayContaining([
      expect.objectContaining({ organizationId: org.id, organizationSlug: org.slug, enabled: false, decidedBy: 'switch' }),
      expect.objectContaining({ organizationId: other.id, enabled: true, decidedBy: 'selection' }),
    ]));
    await shell().as(admin).put(`/api/admin/apps/${all.id}/organizations/${randomUUID()}`).send({ enabled: true }).expect(404);
    await shell().as(admin).put(`/api/admin/apps/${all.id}/organizations/${org.id}`).send({ enabled: 'yes' }).expect(400);
  });

  it('gives each organization its own entity tag', async () => {
    const [a, b] = [await (await shell().organization()).member(), await (await shell().organization()).member()];
    const tags = await Promise.all([undefined, a, b].map(async (token) => (await shell().as(token).get('/api/config/apps')).headers['etag']));
    expect(new Set(tags).size).toBe(3);
  });
});

describe('the registry cache', () => {
  const cached = (field: string): Promise<string | null> => shell().redis.hget('shell:registry:2', field);

  it('holds every entry with its revision, and the revision of the whole', async () => {
    const { id, slug } = await register();
    const [row] = await shell().query<{ revision: string }>('select revision from apps where id = ?', [id]);
    expect(await cached(`app:${slug}`)).toMatch(new RegExp(`^${row?.revision}:\\{`));
    expect(await cached('revision')).toBe(row?.revision);
    await shell().as(admin).delete(`/api/admin/apps/${id}`).expect(204);
    expect(await cached(`app:${slug}`)).toMatch(/^\d+:$/);
  });

  it('is never put back by a late, older write', async () => {
    const { slug } = await register();
    const before = await cached(`app:${slug}`);
    await Promise.all(Array.from({ length: 30 }, (_, n) => shell().as(admin).post('/api/admin/apps').send({ slug: `race-${n}`, name: 'x', type: 'x', apiUrl: '/x' }).expect(201)));
    const list = (await shell().as(admin).get('/api/admin/apps?limit=100&filter=%7B%22slug%22%3A%7B%22startsWith%22%3A%22race-%22%7D%7D')).body.data as { id: string; slug: string; revision: number }[];
    for (const app of list) expect(await cached(`app:${app.slug}`)).toMatch(new RegExp(`^${app.revision}:`));
    expect(await cached(`app:${slug}`)).toBe(before);
    await Promise.all(list.map(({ id }) => shell().as(admin).delete(`/api/admin/apps/${id}`).expect(204)));
    expect(await names()).not.toEqual(expect.arrayContaining(['race-1']));
  });

  it('is followed by a second process within a second, also when the message is lost', async () => {
    const second = await shell().second();
    const { slug } = await register();
    await eventually(async () => (await names(undefined, second)).includes(slug), 1000);
    // written by somebody who died between commit and cache: only the database knows
    await shell().query(`with n as (update registry_state set revision = revision + 1 returning revision) update apps set name = 'Healed', revision = n.revision from n where slug = ?`, [slug]);
    await eventually(async () => (await feed(undefined, second)).some((app) => app.name === 'Healed'), 2500);
    await eventually(async () => (await cached(`app:${slug}`))?.includes('Healed') ?? false, 2500);
    await second.stop();
  });

  it('is rebuilt after Redis lost everything, and answers go on meanwhile', async () => {
    const { slug } = await register();
    await shell().redis.flushall();
    expect(await names()).toContain(slug);
    const next = await register();
    expect(await names()).toEqual(expect.arrayContaining([slug, next.slug]));
    expect(await cached(`app:${slug}`)).not.toBeNull();
  });

  it('that is ahead of a restored database is thrown away', async () => {
    const { slug } = await register();
    await shell().redis.hset('shell:registry:2', 'revision', '99999999', 'app:ghost', '99999999:{"slug":"ghost","status":"active"}');
    await eventually(async () => (await cached('app:ghost')) === null, 2500);
    expect(await names()).toContain(slug);
    expect(await names()).not.toContain('ghost');
  });
});
