import { randomUUID } from 'node:crypto';
import { useShell } from './support/shell.js';

const shell = useShell();

const everything = ['apps:list', 'apps:read', 'apps:write', 'apps:delete'];
let admin: string;
beforeAll(async () => {
  admin = await (await shell().organization()).member(everything);
});

const slugs = (): string => `app-${randomUUID().slice(0, 8)}`;
const minimal = (slug = slugs()) => ({ slug, name: `The ${slug}`, type: 'satellite', apiUrl: `/${slug}/api` });
async function registered(over: object = {}): Promise<{ id: string; slug: string; etag: string }> {
  const answer = await shell().as(admin).post('/api/admin/apps').send({ ...minimal(), ...over }).expect(201);
  return { id: answer.body.data.id, slug: answer.body.data.slug, etag: answer.headers['etag'] ?? '' };
}
const count = async (): Promise<number> => Number((await shell().query<{ count: string }>('select count(*) from apps'))[0]?.count);

describe('every route of the registry', () => {
  const routes = [
    ['get', '/api/admin/apps', 'apps:list'],
    ['get', `/api/admin/apps/${randomUUID()}`, 'apps:read'],
    ['post', '/api/admin/apps', 'apps:write'],
    ['post', '/api/admin/apps/register-remote', 'apps:write'],
    ['put', `/api/admin/apps/${randomUUID()}`, 'apps:write'],
    ['delete', `/api/admin/apps/${randomUUID()}`, 'apps:delete'],
    ['get', `/api/admin/apps/${randomUUID()}/organizations`, 'apps:read'],
    ['put', `/api/admin/apps/${randomUUID()}/organizations/${randomUUID()}`, 'apps:write'],
  ] as const;

  it.each(routes)('%s %s needs a token and %s', async (method, path, permission) => {
    await shell().as()[method](path).expect(401);
    await shell().as('not.a.token')[method](path).expect(401);
    const others = await (await shell().organization()).member(everything.filter((code) => code !== permission));
    const { error } = (await shell().as(others)[method](path).send({}).expect(403)).body;
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { permission } });
  });

  it.each(routes.filter(([, path]) => path.includes('-', 20) && !path.endsWith('register-remote')))('%s %s is 404 for an unknown id and 400 for no id', async (method, path) => {
    const body = path.includes('/organizations/') ? { enabled: true } : {};
    await shell().as(admin)[method](path).send(body).expect(404);
    await shell().as(admin)[method](path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'not-an-id')).send(body).expect(400);
  });
});

describe('registering an app', () => {
  it.each([
    ['slug', { slug: 'Upper' }], ['slug', { slug: '-x' }], ['slug', { slug: 'a' }], ['slug', { slug: 'x'.repeat(41) }], ['slug', { slug: 'api' }], ['slug', { slug: 'shell-rbac' }],
    ['name', { name: '' }], ['name', { name: '   ' }], ['name', { name: 'x'.repeat(81) }], ['name', { name: 'two\nlines' }], ['name', { name: 'evil\u202egnp.exe' }],
    ['apiUrl', { apiUrl: 'javascript:alert(1)' }], ['apiUrl', { apiUrl: '//evil.test' }], ['apiUrl', { apiUrl: 'https://user:pw@host/api' }], ['apiUrl', { apiUrl: '/a/../b' }], ['apiUrl', { apiUrl: 'http://x\\@y' }],
    ['uiUrl', { uiUrl: 'data:text/html,x' }], ['uiUrl', { uiUrl: 'ftp://host/x' }],
    ['icon', { icon: 'javascript:alert(1)' }], ['icon', { icon: 'data:image/svg+xml,<svg onload=alert(1)>' }],
    ['status', { status: 'deleted' }],
    ['metadata', { metadata: { nul: 'a\0b' } }], ['metadata', { metadata: { half: ['\ud800'] } }],
    ['metadata', { metadata: { big: 'x'.repeat(20_000) } }], ['metadata', { metadata: JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) }],
    ['permissions.0.code', { permissions: [{ code: 'everything' }] }], ['permissions', { permissions: [{ code: 'users:write' }] }],
    ['limitKeys.0.key', { limitKeys: [{ key: 'Storage' }] }],
    ['navigation.0.path', { navigation: [{ title: 'x', path: 'https://evil.test' }] }],
    ['organizations.slugs.0', { organizations: { all: false, slugs: ['Not A Slug'] } }],
    ['managedBy', { managedBy: 'operator' }],
  ])('refuses a wrong %s and writes nothing: %j', async (field, over) => {
    const before = await count();
    const { error } = (await shell().as(admin).post('/api/admin/apps').send({ ...minimal(), ...over }).expect(400)).body;
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.details.fields.map((problem: { field: string }) => problem.field).join()).toContain(field.split('.')[0]);
    expect(await count()).toBe(before);
  });

  it('names every missing field at once', async () => {
    const { error } = (await shell().as(admin).post('/api/admin/apps').send({}).expect(400)).body;
    expect(error.details.fields.map((problem: { field: string }) => problem.field).sort()).toEqual(['apiUrl', 'name', 'slug', 'type']);
  });

  it('answers the entry with 201 and its entity tag', async () => {
    const body = {
      ...minimal('ledger'), uiUrl: 'https://ledger.example.org/ui/', icon: 'book', description: 'Accounts', category: 'finance', status: 'active', version: '1.2.0', metadata: { owner: 'finance' },
      permissions: [{ code: 'ledger.entries:read', description: 'See entries' }], limitKeys: [{ key: 'ledger.entries', description: 'Entries' }], navigation: [{ title: 'Entries', path: '/entries', permission: 'ledger.entries:read' }],
    };
    const answer = await shell().as(admin).post('/api/admin/apps').send(body).expect(201);
    expect(answer.body).toMatchObject({ message: 'Created', data: { ...body, remoteEntry: 'https://ledger.example.org/ui/remoteEntry.js', managedBy: 'api', source: null, organizations: { all: true, slugs: [] } } });
    expect(answer.headers['etag']).toBe(`"${answer.body.data.revision}"`);
  });

  it('lets one of 20 at once have the slug', async () => {
    const body = minimal();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shell().as(admin).post('/api/admin/apps').send(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'apps.slug_in_use', slug: body.slug } });
  });

  it('refuses permission codes and limit keys of another app, and its name', async () => {
    const { slug } = await registered({ slug: 'vault', permissions: [{ code: 'vault.items:read' }, { code: 'safes:open' }], limitKeys: [{ key: 'vault.items' }] });
    for (const over of [{ permissions: [{ code: 'vault.items:read' }] }, { permissions: [{ code: 'vault.other:read' }] }, { permissions: [{ code: 'safes:close' }] }, { limitKeys: [{ key: 'vault.items' }] }]) {
      const { error } = (await shell().as(admin).post('/api/admin/apps').send({ ...minimal(), ...over }).expect(409)).body;
      expect(error.details).toMatchObject({ reason: 'apps.declaration_in_use', owner: `the app "${slug}"` });
    }
  });

  it('refuses under an app\'s own name what another app declared before there was that app', async () => {
    await registered({ slug: 'cellar', permissions: [{ code: 'cupboard:open' }], limitKeys: [{ key: 'cupboard.shelves' }] });
    for (const over of [{ permissions: [{ code: 'cupboard:open' }] }, { limitKeys: [{ key: 'cupboard.shelves' }] }]) {
      const { error } = (await shell().as(admin).post('/api/admin/apps').send({ ...minimal(), slug: 'cupboard', ...over }).expect(409)).body;
      expect(error.details).toMatchObject({ reason: 'apps.declaration_in_use', owner: 'the app "cellar"' });
    }
    await registered({ slug: 'cupboard', permissions: [{ code: 'cupboard:close' }] });
  });
});

describe('changing and removing an app', () => {
  it('changes what is given and nothing else', async () => {
    const { id, slug } = await registered({ uiUrl: `https://a.example.org/ui`, description: 'before', permissions: undefined });
    const { data } = (await shell().as(admin).put(`/api/admin/apps/${id}`).send({ name: 'After', description: null }).expect(200)).body;
    expect(data).toMatchObject({ id, slug, name: 'After', description: null, uiUrl: 'https://a.example.org/ui', type: 'satellite' });
    expect((await shell().as(admin).get(`/api/admin/apps/${id}`).expect(200)).body.data).toEqual(data);
  });

  it('refuses another slug, a stale entity tag and unknown fields', async () => {
    const { id, slug, etag } = await registered();
    await shell().as(admin).put(`/api/admin/apps/${id}`).send({ slug: 'another' }).expect(400);
    await shell().as(admin).put(`/api/admin/apps/${id}`).send({ revision: 1 }).expect(400);
    await shell().as(admin).put(`/api/admin/apps/${id}`).set('if-match', etag).send({ slug, name: 'One' }).expect(200);
    const { error } = (await shell().as(admin).put(`/api/admin/apps/${id}`).set('if-match', etag).send({ name: 'Two' }).expect(412)).body;
    expect(error.code).toBe('PRECONDITION_FAILED');
    await shell().as(admin).delete(`/api/admin/apps/${id}`).set('if-match', etag).expect(412);
    expect((await shell().as(admin).get(`/api/admin/apps/${id}`)).body.data.name).toBe('One');
  });

  it('lets one of 10 writers with the same entity tag through', async () => {
    const { id, etag } = await registered();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => shell().as(admin).put(`/api/admin/apps/${id}`).set('if-match', etag).send({ name: `Writer ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  });

  it('writes nothing when nothing changes', async () => {
    const { id, etag } = await registered({ name: 'Same' });
    const answer = await shell().as(admin).put(`/api/admin/apps/${id}`).send({ name: 'Same' }).expect(200);
    expect(answer.headers['etag']).toBe(etag);
  });

  it('refuses an entry of the operator unless forced', async () => {
    const { id } = await registered();
    await shell().query(`update apps set managed_by = 'operator', source_uid = 'u', source_generation = 1, source_name = 'n', source_namespace = 'ns' where id = ?`, [id]);
    for (const method of ['put', 'delete'] as const) {
      const { error } = (await shell().as(admin)[method](`/api/admin/apps/${id}`).send({ name: 'Mine' }).expect(409)).body;
      expect(error.details.reason).toBe('apps.managed_elsewhere');
    }
    const { data } = (await shell().as(admin).put(`/api/admin/apps/${id}?force=true`).send({ name: 'Mine' }).expect(200)).body;
    expect(data).toMatchObject({ name: 'Mine', managedBy: 'operator', source: { uid: 'u', generation: 1 } });
    await shell().as(admin).delete(`/api/admin/apps/${id}?force=true`).expect(204);
  });

  it('removes an entry with what it declared, and frees its names', async () => {
    const { id, slug } = await registered({ slug: 'shortlived', permissions: [{ code: 'shortlived.x:read' }] });
    await shell().as(admin).delete(`/api/admin/apps/${id}`).expect(204);
    await shell().as(admin).get(`/api/admin/apps/${id}`).expect(404);
    await shell().as(admin).delete(`/api/admin/apps/${id}`).expect(404);
    await registered({ slug, permissions: [{ code: 'shortlived.x:read' }] });
  });
});

describe('listing apps', () => {
  it('pages, sorts and filters', async () => {
    for (const n of [1, 2, 3]) await registered({ category: 'paged', name: `Paged ${n}` });
    const filter = encodeURIComponent(JSON.stringify({ category: 'paged', name: { contains: 'paged' } }));
    const answer = await shell().as(admin).get(`/api/admin/apps?limit=2&sort=-name&filter=${filter}`).expect(200);
    expect(answer.body.data.map((app: { name: string }) => app.name)).toEqual(['Paged 3', 'Paged 2']);
    expect(answer.body.pagination).toEqual({ page: 1, limit: 2, total: 3 });
    expect(answer.headers['x-total-count']).toBe('3');
    expect(answer.headers['link']).toContain('page=2');
    expect((await shell().as(admin).get(`/api/admin/apps?limit=2&page=2&sort=-name&filter=${filter}`)).body.data).toHaveLength(1);
  });

  it.each(['organizationId=x', 'where[$or]=x', 'orderBy[x]=asc', 'fiter={}', 'limit=1&limit=2', 'page=0', 'limit=101', 'limit=x', 'sort=name;drop', 'sort=passwordHash', 'sort[$ne]=x&sort=-id', 'filter=x', 'filter=[]', 'filter={"passwordHash":"x"}', 'filter={"name":{"$ne":"x"}}', 'filter={"name":{"eq":{"a":1}}}', 'filter={"status":"gone"}', 'filter={"createdAt":{"gt":"yesterday"}}', 'filter={"__proto__":{"a":1}}'])('refuses ?%s', async (query) => {
    const answer = await shell().as(admin).get(`/api/admin/apps?${query.replace(/[{}"[\]]/g, encodeURIComponent)}`);
    expect([query, answer.status]).toEqual([query, 400]);
  });

  it('takes LIKE wildcards as letters', async () => {
    const filter = encodeURIComponent(JSON.stringify({ name: { contains: '%' } }));
    expect((await shell().as(admin).get(`/api/admin/apps?filter=${filter}`).expect(200)).body.data).toEqual([]);
  });
});

describe('the HTTP face', () => {
  it('answers 404, 405 and broken paths in the error shape, with the request id of the caller', async () => {
    const lost = await shell().as().get('/api/nowhere').set('x-request-id', 'from-the-caller').expect(404);
    expect(lost.body).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String), requestId: 'from-the-caller', details: { reason: 'request.no_such_route' } } });
    const put = await shell().as(admin).put('/api/admin/apps').expect(405);
    expect(put.headers['allow']).toBe('GET, POST');
    await shell().as(admin).get('/api/admin/apps/%E0%A4%A').expect(400);
    expect((await shell().as().get('/api/nowhere').set('x-request-id', 'bad id\twith spaces')).body.error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers problem details to who asks for them', async () => {
    const answer = await shell().as().get('/api/admin/apps').set('accept', 'application/problem+json').expect(401).expect('content-type', /application\/problem\+json/);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 401, code: 'UNAUTHORIZED', title: 'UNAUTHORIZED' });
  });

  it('lets no foreign origin read', async () => {
    for (const origin of ['https://evil.test', 'null', 'http://platform.test.evil.test']) {
      const answer = await shell().as().get('/api/config/apps').set('origin', origin);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('tells health, readiness, metrics and its own description', async () => {
    expect((await shell().as().get('/api/health').expect(200)).body).toEqual({ status: 'UP', version: '0.1.0', database: 'UP', keyValueStore: 'UP' });
    await shell().as().get('/livez').expect(200);
    await shell().as().get('/readyz').expect(200);
    expect((await shell().as().get('/metrics').expect(200)).text).toContain('http_request_duration_seconds_bucket');
    expect((await shell().as().get('/api/doc/openapi.json').expect(200)).body).toMatchObject({ openapi: '3.0.0', info: { title: 'Shell' } });
    await shell().as().get('/api/doc/explorer').expect(200).expect('content-type', /html/);
    await shell().as().get('/api/doc/explorer/assets/swagger-ui-bundle.js').expect(200);
  });
});
