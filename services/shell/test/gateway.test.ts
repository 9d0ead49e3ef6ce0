import { randomUUID } from 'node:crypto';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { RbacService } from '@satellite/proto/rbac/v1';
import { call, exchanged, registeredApp, serviceClient, WAYS, type RegisteredApp, type Way } from './support/gateway.js';
import { personIn, tokenOf, type Person } from './support/people.js';
import { OPERATOR, useShell } from './support/shell.js';

const shell = useShell();
const ask = (token: string | undefined, body: unknown, way: Way = 'plain', headers: Record<string, string> = {}) => call(shell(), 'CheckPermission', token, body, way, headers);
const list = (token: string, sub: string, way: Way = 'plain') => call(shell(), 'GetUserPermissions', token, { sub }, way);

let organizationId: string;
let ann: Person;
let app: RegisteredApp;
let platform: string;
let service: string;
beforeAll(async () => {
  organizationId = (await shell().organization()).id;
  app = await registeredApp(shell());
  ann = await personIn(shell(), organizationId, { permissions: ['users:list', app.codes[0]] });
  platform = (await serviceClient(shell(), { permissions: ['rbac:read'] })).token;
  service = (await serviceClient(shell(), { appSlug: app.slug })).token;
});

describe.each(WAYS)('who may call the gateway (%s)', (way) => {
  const question = () => ({ sub: ann.id, act: 'list', obj: 'users' });

  it.each<[string, () => Promise<string | undefined>]>([
    ['nobody', async () => undefined],
    ['a person with a token for the Shell', async () => ann.token],
    ['a person with a token for an app', () => exchanged(shell(), ann.token, app.slug)],
    ['a token that was changed', async () => `${platform.slice(0, -3)}AAA`],
    ['somebody with text', async () => 'not.a.token'],
    ['a client that does not exist', async () => (await shell().shell.container.tokens.issueForService('nobody')).accessToken],
  ])('refuses %s', async (_who, token) => {
    const { status, json } = await ask(await token(), question(), way);
    expect([status, json['code']]).toEqual([401, 'unauthenticated']);
  });

  it('refuses a client of the platform without rbac:read, the operator among them', async () => {
    const { body } = await shell().as().post('/api/auth/service-token').send(OPERATOR).expect(200);
    for (const token of [body.data.accessToken, (await serviceClient(shell())).token]) {
      expect(await ask(token, question(), way)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
      expect(await list(token, ann.id, way)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    }
  });

  it('answers a person about themselves only', async () => {
    const bob = await personIn(shell(), organizationId, { permissions: ['users:list'] });
    const token = await exchanged(shell(), ann.token, 'shell-rbac');
    expect((await ask(token, question(), way)).json).toMatchObject({ allowed: true, reason: 'granted' });
    expect(await ask(token, { ...question(), sub: bob.id }, way)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect(await ask(token, { ...question(), sub: randomUUID() }, way)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect((await list(token, ann.id, way)).json).toMatchObject({ permissions: [app.codes[0], 'users:list'].sort(), organizationId });
    expect(await list(token, bob.id, way)).toMatchObject({ status: 403 });
    await shell().as(token).get('/api/users').expect(401);
  });

  it('tells a client of an app nothing about other permissions', async () => {
    expect((await ask(service, { sub: ann.id, act: 'read', obj: `${app.slug}.files` }, way)).json).toMatchObject({ allowed: true });
    expect((await ask(service, { sub: ann.id, act: 'write', obj: `${app.slug}.files` }, way)).json).toMatchObject({ allowed: false, reason: 'not_granted' });
    for (const obj of ['users', `${app.slug}x.files`, app.slug.slice(0, -1), 'drive.files']) {
      expect(await ask(service, { sub: ann.id, act: 'list', obj }, way)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    }
    expect((await list(service, ann.id, way)).json).toMatchObject({ permissions: [app.codes[0]], organizationId });
  });

  it('answers a client of the platform about everybody', async () => {
    expect((await ask(platform, question(), way)).json).toMatchObject({ allowed: true, reason: 'granted' });
    expect((await list(platform, ann.id, way)).json).toMatchObject({ permissions: [app.codes[0], 'users:list'].sort(), organizationId, roles: [expect.any(String)] });
  });

  it('answers clients of an app where it is enabled, and only there', async () => {
    const off = await shell().organization();
    const person = await personIn(shell(), off.id, { permissions: [app.codes[0]] });
    const admin = await off.member(['apps:write']);
    const asks = () => ask(service, { sub: person.id, act: 'read', obj: `${app.slug}.files` }, way);
    expect((await asks()).json['allowed']).toBe(true);
    await shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${off.id}`).send({ enabled: false }).expect(200);
    expect((await ask(service, { sub: person.id, act: 'read', obj: `${app.slug}.files`, consistency: 'full' }, way)).json).toMatchObject({ allowed: false, reason: 'app_not_enabled' });
    await untilAnswer(asks, { allowed: false, reason: 'app_not_enabled' });
    expect((await list(service, person.id, way)).json).toEqual({ permissions: [], roles: [], organizationId: '', policyVersion: 0 });
    expect((await ask(platform, { sub: person.id, act: 'read', obj: `${app.slug}.files` }, way)).json['allowed']).toBe(true);
  });
});

describe('clients of an app that an organization does not have', () => {
  it('learn nothing of the state of its people or of the organization', async () => {
    const off = await shell().organization();
    const [person, suspended] = [await personIn(shell(), off.id), await personIn(shell(), off.id)];
    const admin = await off.member(['apps:write']);
    await shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${off.id}`).send({ enabled: false }).expect(200);
    const reasons = (token: string) => Promise.all([person, suspended].map(async ({ id }) => (await ask(token, { sub: id, act: 'read', obj: `${app.slug}.files`, consistency: 'full' })).json['reason']));
    await shell().query(`update users set status = 'suspended' where id = ?`, [suspended.id]);
    expect(await reasons(platform)).toEqual(['not_granted', 'subject_inactive']);
    expect(await reasons(service)).toEqual(['app_not_enabled', 'app_not_enabled']);
    await shell().query(`update organizations set status = 'suspended' where id = ?`, [off.id]);
    expect(await reasons(platform)).toEqual(['organization_inactive', 'organization_inactive']);
    expect(await reasons(service)).toEqual(['app_not_enabled', 'app_not_enabled']);
  });
});

/** Asks until the answer holds this, a second at most: the bound of the gateway. */
async function untilAnswer(asks: () => ReturnType<typeof ask>, expected: object, withinMs = 1000): Promise<void> {
  const end = Date.now() + withinMs;
  let last = await asks();
  while (Date.now() < end && !Object.entries(expected).every(([key, value]) => last.json[key] === value)) last = await asks();
  expect(last.json).toMatchObject(expected);
}

describe('questions', () => {
  it.each([
    ['', 'users'], ['list', ''], ['*', 'users'], ['list', '*'], ['list', 'users:'], ['list', 'users:list'], ['users:list', ''], [':list', 'users'], ['list', 'users.*'], ['list*', 'users'],
    ['List', 'users'], ['list', 'Users'], ['LIST', 'users'], ['list', 'USERS'], ['list ', 'users'], ['list', ' users'], ['list\n', 'users'], ['list', 'users\0'], ['%', 'users'], ['.*', 'users'], ['list', 'x'.repeat(200)], ['ſist', 'users'],
  ])('refuses act %j with obj %j', async (act, obj) => {
    for (const way of WAYS) {
      expect(await ask(platform, { sub: ann.id, act, obj }, way)).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
      expect(await ask(platform, { sub: ann.id, act, obj, consistency: 'full' }, way)).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
    }
  });

  it('knows the RESOURCE_ACTION notation of the same permission', async () => {
    expect((await ask(platform, { sub: ann.id, act: 'LIST', obj: 'USERS' })).json['allowed']).toBe(true);
    expect((await ask(platform, { sub: ann.id, act: 'DELETE', obj: 'USERS' })).json['allowed']).toBe(false);
    expect((await ask(service, { sub: ann.id, act: 'READ', obj: `${app.slug.toUpperCase()}.FILES` })).json['allowed']).toBe(true);
  });

  it.each([['nobody has', randomUUID()], ['is none', 'client:operator'], ['has a quote', `' or 1=1 --`], ['has a NUL', 'a\0b'], ['is long', 'x'.repeat(200)]])('say no for a subject that %s', async (_what, sub) => {
    for (const way of WAYS) for (const consistency of ['', 'full']) {
      expect((await ask(platform, { sub, act: 'list', obj: 'users', consistency }, way)).json).toEqual({ allowed: false, reason: 'unknown_subject', policyVersion: 0 });
    }
    expect((await list(platform, sub)).json).toEqual({ permissions: [], roles: [], organizationId: '', policyVersion: 0 });
  });

  it('refuse an empty or endless subject and an unknown consistency', async () => {
    for (const over of [{ sub: '' }, { sub: 'x'.repeat(201) }, { consistency: 'eventual' }, { consistency: 'FULL' }]) {
      expect(await ask(platform, { sub: ann.id, act: 'list', obj: 'users', ...over })).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
    }
  });

  it('hold in the person\'s own organization only', async () => {
    const other = (await shell().organization()).id;
    for (const consistency of ['', 'full']) {
      expect((await ask(platform, { sub: ann.id, act: 'list', obj: 'users', organizationId: other, consistency })).json).toMatchObject({ allowed: false, reason: 'other_organization' });
      expect((await ask(platform, { sub: ann.id, act: 'list', obj: 'users', organizationId, consistency })).json).toMatchObject({ allowed: true });
      expect((await ask(platform, { sub: ann.id.toUpperCase(), act: 'list', obj: 'users', organizationId: organizationId.toUpperCase(), consistency })).json).toMatchObject({ allowed: true });
    }
  });

  it('get nothing from a role of another organization, however it was assigned', async () => {
    const other = (await shell().organization()).id;
    const [roleId, person] = [randomUUID(), await personIn(shell(), organizationId)];
    await shell().query(`insert into roles (id, organization_id, name, created_at, updated_at) values (?, ?, 'foreign', now(), now())`, [roleId, other]);
    await shell().query(`insert into role_permissions (role_id, permission) values (?, 'users:list')`, [roleId]);
    await shell().query('insert into user_roles (user_id, role_id, granted_at) values (?, ?, now())', [person.id, roleId]);
    for (const consistency of ['', 'full']) expect((await ask(platform, { sub: person.id, act: 'list', obj: 'users', consistency })).json).toMatchObject({ allowed: false, reason: 'not_granted' });
  });

  it('come in batches of 1 to 50, in their order', async () => {
    const check = (obj: string, over: object = {}) => ({ sub: ann.id, act: 'list', obj, ...over });
    const batch = (token: string, checks: object[]) => call(shell(), 'CheckPermissions', token, { checks });
    const { json } = await batch(platform, [check('users'), check('roles'), check('users', { sub: randomUUID() })]);
    expect((json['results'] as { allowed: boolean }[]).map(({ allowed }) => allowed)).toEqual([true, false, false]);
    expect((await batch(platform, Array.from({ length: 50 }, () => check('users')))).status).toBe(200);
    for (const checks of [[], Array.from({ length: 51 }, () => check('users')), [check('users'), check('*')]]) expect(await batch(platform, checks)).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
    expect(await batch(service, [{ sub: ann.id, act: 'read', obj: `${app.slug}.files` }, check('users')])).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
  });
});

describe('the two ways to one method', () => {
  const bodies: [string, unknown][] = [
    ['a grant', () => ({ sub: ann.id, act: 'list', obj: 'users' })],
    ['a refusal', () => ({ sub: ann.id, act: 'delete', obj: 'users' })],
    ['all fields', () => ({ sub: ann.id, act: 'list', obj: 'users', organizationId, consistency: 'full' })],
    ['the other notation of names', () => ({ sub: ann.id, act: 'list', obj: 'users', organization_id: organizationId })],
    ['unknown fields', () => ({ sub: ann.id, act: 'list', obj: 'users', extra: { a: 1 }, __proto__x: 1 })],
    ['a field called __proto__', () => `{"sub":"${ann.id}","act":"list","obj":"users","__proto__":{"obj":"roles"}}`],
    ['null fields', () => ({ sub: ann.id, act: 'list', obj: 'users', organizationId: null })],
    ['numbers', () => ({ sub: 7, act: 'list', obj: 'users' })],
    ['nothing', () => ({})],
    ['an array', () => []],
    ['null', () => 'null'],
    ['no JSON', () => '{"sub":'],
    ['an empty body', () => ''],
    ['a byte order mark', () => `\ufeff{"sub":"${ann.id}","act":"list","obj":"users"}`],
    ['a field twice', () => `{"sub":"${ann.id}","act":"list","obj":"roles","obj":"users"}`],
    ['a wildcard', () => ({ sub: ann.id, act: '*', obj: 'users' })],
    ['quotes and umlauts', () => ({ sub: 'é"\\ü', act: 'list', obj: 'users' })],
  ];

  it.each(bodies)('are the same to the byte for %s', async (_what, make) => {
    const body = (make as () => unknown)();
    for (const method of ['CheckPermission', 'GetUserPermissions']) {
      const [plain, connect] = [await call(shell(), method, platform, body), await call(shell(), method, platform, body, 'connect')];
      expect([plain.status, plain.text, plain.headers.get('content-type'), plain.headers.get('x-error-code')]).toEqual([connect.status, connect.text, connect.headers.get('content-type'), connect.headers.get('x-error-code')]);
      expect(plain.headers.get('x-request-id')).toMatch(/./);
    }
  });

  it('are the same for refusals of the caller', async () => {
    for (const token of [undefined, 'not.a.token', ann.token, (await serviceClient(shell())).token]) {
      const [plain, connect] = [await ask(token, { sub: ann.id, act: 'list', obj: 'users' }), await ask(token, { sub: ann.id, act: 'list', obj: 'users' }, 'connect')];
      expect([plain.status, plain.text]).toEqual([connect.status, connect.text]);
    }
  });

  it('serve clients made from the contract, in JSON and in binary', async () => {
    const bearer: Interceptor = (next) => (request) => {
      request.header.set('authorization', `Bearer ${platform}`);
      return next(request);
    };
    for (const useBinaryFormat of [true, false]) {
      const client = createClient(RbacService, createConnectTransport({ baseUrl: `${shell().url}/api`, httpVersion: '1.1', useBinaryFormat, interceptors: [bearer] }));
      expect(await client.checkPermission({ sub: ann.id, act: 'list', obj: 'users' })).toMatchObject({ allowed: true, reason: 'granted' });
      expect(await client.getUserPermissions({ sub: ann.id })).toMatchObject({ organizationId });
      expect((await client.checkPermissions({ checks: [{ sub: ann.id, act: 'delete', obj: 'users' }] })).results).toMatchObject([{ allowed: false }]);
    }
  });

  it('refuse other kinds of bodies and endless ones', async () => {
    const question = JSON.stringify({ sub: ann.id, act: 'list', obj: 'users' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = await fetch(`${shell().url}/api/rbac.v1.RbacService/CheckPermission`, { method: 'POST', headers: { 'content-type': type, authorization: `Bearer ${platform}` }, body: question });
      expect(response.status).toBe(415);
    }
    expect((await ask(platform, `{"sub":"${ann.id}","act":"list","obj":"users","x":"${'x'.repeat(20_000)}"}`)).json['allowed']).toBe(true);
    expect((await ask(platform, `{"x":"${'x'.repeat(2_000_000)}"}`)).json['code']).toBe('resource_exhausted');
    expect((await ask(platform, question, 'plain', { 'content-type': 'application/json; charset=utf-8' })).json['allowed']).toBe(true);
    expect((await fetch(`${shell().url}/api/rbac.v1.RbacService/CheckPermission`, { headers: { authorization: `Bearer ${platform}` } })).status).toBe(405);
  });
});

describe('decisions', () => {
  it('are counted by answer, without names', async () => {
    await ask(platform, { sub: ann.id, act: 'list', obj: 'users' });
    const { text } = await shell().as().get('/metrics').expect(200);
    expect(text).toMatch(/rbac_decisions_total\{allowed="true",reason="granted",service="shell"\} \d+/);
    expect(text).toContain('rbac_decision_duration_seconds_bucket');
    expect(text).not.toContain(ann.id);
  });
});

describe('a person\'s gateway token', () => {
  const question = () => ({ sub: ann.id, act: 'list', obj: 'users' });

  it('ends with the session it comes from, at once in this process', async () => {
    const session = await tokenOf(shell(), ann.id, organizationId);
    const token = await exchanged(shell(), session, 'shell-rbac');
    expect((await ask(token, question())).status).toBe(200);
    await shell().as(session).post('/api/auth/logout').expect(200);
    await untilAnswer(() => ask(token, question()), { code: 'unauthenticated' });
  });
});
