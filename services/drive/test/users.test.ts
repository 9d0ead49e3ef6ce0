import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { eventually } from '@satellite/kit/testing';
import { exchanged, registeredApp } from '../../shell/test/support/gateway.js';
import { personIn, tokenOf } from '../../shell/test/support/people.js';
import { useDrive, type DrivePerson } from './support/drive.js';

const BOUND_MS = 1500; // a second, and a busy machine
const drive = useDrive();
let ann: DrivePerson;
beforeEach(async () => {
  ann = await drive().owner();
});
const as = (person: DrivePerson = ann) => drive().as(person.driveToken);
const exchange = (token: unknown) => drive().as().post('/api/auth/exchange').send({ token });
const newcomer = (organizationId = ann.organizationId, systemRole?: string) => personIn(drive().shell, organizationId, systemRole === undefined ? {} : { systemRole });
const userOf = async (id: string, by = ann) => (await as(by).get(`/api/users/${id}`).expect(200)).body.data as { status: string; email: string; name: string | null; roles: { id: string }[] };
const rolesOf = async (id: string, by = ann): Promise<string[]> => (await userOf(id, by)).roles.map((role) => role.id);
const refused = (person: { driveToken: string }, status: number): Promise<void> => eventually(async () => (await drive().as(person.driveToken).get('/api/files')).status === status, BOUND_MS, `answering ${status}`);

describe('the exchange', () => {
  it('refuses what is no live token of a person for the platform or for Drive, all alike', async () => {
    const { shell } = drive();
    const other = await registeredApp(shell);
    const ended = await newcomer();
    await shell.as(ended.token).post('/api/auth/logout').expect(200);
    const tokens = ['x', 'a.b.c', `${ann.token.slice(0, -4)}AAAA`, await exchanged(shell, ann.token, other.slug), await exchanged(shell, ann.token, 'shell-rbac'), (await shell.shell.container.tokens.issueForService('operator')).accessToken];
    const answers = [];
    for (const token of tokens) answers.push((await exchange(token).expect(401)).body.error.message);
    await eventually(async () => (await exchange(ended.token)).status === 401, BOUND_MS, 'the logout known');
    expect(new Set(answers).size).toBe(1);
    for (const token of [undefined, null, 5, {}, 'x'.repeat(20_000)]) await exchange(token).expect(400);
    await drive().as().post('/api/auth/exchange').send({ token: ann.token, role: 'admin' }).expect(400);
  });

  it('gives a token for Drive alone, bare, which ends no later than the one it comes from', async () => {
    const { body, headers } = await exchange(ann.token).expect(200);
    expect(body).toEqual({ access_token: expect.any(String), expires_in: expect.any(Number), token_type: 'Bearer' });
    expect(body.expires_in).toBeGreaterThan(3500);
    expect(body.expires_in).toBeLessThanOrEqual(3600);
    expect(headers['cache-control']).toBe('no-store');
    await drive().as(body.access_token).get('/api/files').expect(200);
    await drive().shell.as(body.access_token).get('/api/auth/me').expect(401);
    await drive().as(ann.token).get('/api/files').expect(401);
  });

  it('is needed before everything else, and takes a token for Drive as well', async () => {
    const person = await newcomer();
    const token = await exchanged(drive().shell, person.token, 'drive');
    expect((await drive().as(token).get('/api/files').expect(401)).body.error.details.reason).toBe('auth.exchange_required');
    expect((await exchange(token).expect(200)).body.access_token).toBe(token);
    await drive().as(token).get('/api/files').expect(200);
  });

  it('makes a user of who comes for the first time, once, however often they come at the same time', async () => {
    const person = await newcomer();
    const other = await drive().second();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? drive() : other).as().post('/api/auth/exchange').send({ token: person.token })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await drive().query('select from users where shell_user_id = ?', [person.id])).toHaveLength(1);
    expect(await userOf(person.id)).toMatchObject({ email: person.email, name: 'Ann Example', status: 'active', roles: [{ id: 'editor' }] });
  });

  it('makes the first administrator of the Shell the administrator of the Drive, and nobody after them', async () => {
    const { id: organizationId } = await drive().shell.organization();
    const early = await drive().arrive(await newcomer(organizationId));
    await as(early).get('/api/users').expect(403);
    const admins = await Promise.all([newcomer(organizationId, 'ADMIN'), newcomer(organizationId, 'ADMIN')]);
    const arrived = await Promise.all(admins.map((admin) => drive().arrive(admin)));
    const rows = await drive().query<{ userId: string }>(`select user_id as "userId" from user_roles where organization_id = ? and role_id = 'admin'`, [organizationId]);
    expect(rows).toHaveLength(1);
    const admin = arrived.find(({ id }) => id === rows[0]?.userId) as DrivePerson;
    expect(await rolesOf(early.id, admin)).toEqual(['editor']);
  });

  it('is refused where Drive is not enabled for the organization, and tokens of before end with it', async () => {
    const platform = await (await drive().shell.organization()).member(['apps:write']);
    const set = (enabled: boolean) => drive().shell.as(platform).put(`/api/admin/apps/${drive().appId}/organizations/${ann.organizationId}`).send({ enabled }).expect(200);
    await set(false);
    await eventually(async () => (await exchange(ann.token)).status === 403, BOUND_MS, 'the switch');
    await refused(ann, 403);
    await set(true);
    await refused(ann, 200);
  });

  it('is limited by address', async () => {
    const limited = await drive().second({ APP_ENV_LIMIT_EXCHANGE_PER_MINUTE: '3' });
    for (let n = 0; n < 3; n += 1) await limited.as().post('/api/auth/exchange').send({ token: 'x' }).expect(401);
    await limited.as().post('/api/auth/exchange').send({ token: ann.token }).expect(429).expect('retry-after', /\d+/);
  });

  it('says that Drive is not registered, where that is so, and that the Shell is away, where that is so', async () => {
    const unknown = await drive().second({ APP_ENV_APP_SLUG: 'not-registered' });
    expect((await unknown.as().post('/api/auth/exchange').send({ token: ann.token }).expect(503)).body.error.details).toMatchObject({ reason: 'auth.app_not_registered', app: 'not-registered' });
    const silent = createServer((_request, response) => void response.writeHead(500).end());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const alone = await drive().second({ APP_ENV_SHELL_URL: `http://127.0.0.1:${(silent.address() as { port: number }).port}` });
    for (const answer of [await alone.as().post('/api/auth/exchange').send({ token: ann.token }), await alone.as(ann.driveToken).get('/api/files')]) expect([answer.status, answer.body.error.code]).toEqual([503, 'UNAVAILABLE']);
    silent.close();
  });
});

describe('access ends', () => {
  it('with the logout in the Shell, for this session and no other', async () => {
    const bob = await drive().colleague(ann);
    const again = await drive().arrive({ ...bob, token: await tokenOf(drive().shell, bob.id, bob.organizationId) });
    await drive().shell.as(bob.token).post('/api/auth/logout').expect(200);
    await refused(bob, 401);
    await as(again).get('/api/files').expect(200);
  });

  it('with the suspension of the person, or of the organization, in the Shell', async () => {
    const bob = await drive().colleague(ann);
    await drive().shell.as(ann.token).put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await refused(bob, 401);
    await exchange(bob.token).expect(401);
    const platform = await (await drive().shell.organization()).member(['organizations:list', 'organizations:write']);
    await drive().shell.as(platform).put(`/api/organizations/${ann.organizationId}`).send({ status: 'suspended' }).expect(200);
    await refused(ann, 401);
  });

  it('at once with the suspension in Drive, for tokens of before and for the exchange, and comes back', async () => {
    const bob = await drive().colleague(ann);
    const other = await drive().second();
    await as().put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    for (const process of [drive(), other]) expect((await process.as(bob.driveToken).get('/api/files').expect(403)).body.error.details.reason).toBe('users.suspended');
    expect((await exchange(bob.token).expect(403)).body.error.details.reason).toBe('users.suspended');
    await as().put(`/api/users/${bob.id}`).send({ status: 'active' }).expect(200);
    await as(bob).get('/api/files').expect(200);
  });
});

describe('users', () => {
  it('are refused with fields that nobody knows or that are wrong', async () => {
    for (const body of [{}, { email: 'x' }, { email: 'a@b.test', roleId: 'root' }, { email: 'a@b.test', status: 'active' }, { email: 'a@b.test', name: 'a\nb' }, { email: 'a@b.test', name: '' }, { email: 5 }]) await as().post('/api/users').send(body).expect(400);
    for (const body of [{}, { status: 'deleted' }, { status: null }, { status: 'active', email: 'x@y.test' }]) await as().put(`/api/users/${ann.id}`).send(body).expect(400);
    for (const body of [{}, { roleId: 5 }]) await as().post(`/api/users/${ann.id}/roles`).send(body).expect(400);
    expect((await as().post(`/api/users/${ann.id}/roles`).send({ roleId: 'root' }).expect(404)).body.error.details.reason).toBe('users.role_not_found');
    for (const query of ['?page=0', '?limit=101', '?page=x', '?filter={}']) await as().get(`/api/users${query}`).expect(400);
  });

  it('are invited by address, and are who comes with it', async () => {
    const person = await newcomer();
    const { body } = await as().post('/api/users').send({ email: person.email.toUpperCase(), name: 'Carl', roleId: 'viewer' }).expect(201);
    expect(body.data).toMatchObject({ email: person.email.toUpperCase(), name: 'Carl', status: 'active', roles: [{ id: 'viewer', permissions: ['files:read'] }] });
    expect((await as().post('/api/users').send({ email: person.email }).expect(409)).body.error.details.reason).toBe('users.email_in_use');
    const carl = await drive().arrive(person);
    await as(carl).post('/api/folders').send({ name: 'x' }).expect(403);
    expect(await drive().query('select from users where organization_id = ? and lower(email) = lower(?)', [ann.organizationId, person.email])).toHaveLength(1);
    expect(await userOf(body.data.id)).toMatchObject({ email: person.email, name: 'Ann Example', roles: [{ id: 'viewer' }] });
    expect((await as().post('/api/users').send({ email: person.email }).expect(409)).body.error.details.reason).toBe('users.email_in_use');
  });

  it('are invited once, however many ask at the same time, and may be refused before they come', async () => {
    const person = await newcomer();
    const invited = await Promise.all(Array.from({ length: 6 }, () => as().post('/api/users').send({ email: person.email })));
    expect(invited.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const id = invited.find(({ status }) => status === 201)?.body.data.id as string;
    await as().put(`/api/users/${id}`).send({ status: 'suspended' }).expect(200);
    await exchange(person.token).expect(403);
  });

  it('of another organization with the same address are somebody else', async () => {
    const [other, person] = [await drive().owner(), await newcomer()];
    await as(other).post('/api/users').send({ email: person.email, roleId: 'admin' }).expect(201);
    await drive().arrive(person);
    expect(await rolesOf(person.id)).toEqual(['editor']);
  });

  it('are listed page by page, with the total', async () => {
    for (let n = 0; n < 4; n += 1) await drive().colleague(ann);
    const { body, headers } = await as().get('/api/users?page=2&limit=3').expect(200);
    expect([body.total, body.data.length, headers['x-total-count']]).toEqual([5, 2, '5']);
    expect((await as().get('/api/users/roles').expect(200)).body.data.map((role: { id: string }) => role.id)).toEqual(['admin', 'editor', 'viewer']);
  });

  it('get and lose roles, which counts from the next request on', async () => {
    const bob = await drive().colleague(ann, 'viewer');
    await as(bob).post('/api/folders').send({ name: randomUUID() }).expect(403);
    const { body } = await as().post(`/api/users/${bob.id}/roles`).send({ roleId: 'admin' }).expect(201);
    expect(body.data.roles.map((role: { id: string }) => role.id)).toEqual(['admin', 'viewer']);
    await as().post(`/api/users/${bob.id}/roles`).send({ roleId: 'admin' }).expect(201);
    await as(bob).get('/api/users').expect(200);
    await as().delete(`/api/users/${bob.id}/roles/admin`).expect(204);
    await as().delete(`/api/users/${bob.id}/roles/admin`).expect(404);
    await as().delete(`/api/users/${bob.id}/roles/root`).expect(404);
    await as(bob).get('/api/users').expect(403);
  });

  it('never lose their last administrator, even when two go at the same time', async () => {
    for (const answer of [await as().put(`/api/users/${ann.id}`).send({ status: 'suspended' }), await as().delete(`/api/users/${ann.id}/roles/admin`)]) expect([answer.status, answer.body.error.details.reason]).toEqual([409, 'users.last_administrator']);
    await as().post('/api/users').send({ email: `${randomUUID()}@example.org`, roleId: 'admin' }).expect(201); // has not come, and may never
    await as().delete(`/api/users/${ann.id}/roles/admin`).expect(409);
    const bob = await drive().colleague(ann, 'admin');
    const gone = await Promise.all([as(bob).put(`/api/users/${ann.id}`).send({ status: 'suspended' }), as().put(`/api/users/${bob.id}`).send({ status: 'suspended' })]);
    expect(gone.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left] = await drive().query<{ admins: string }>(`select count(*) as admins from user_roles r join users u on u.id = r.user_id where r.organization_id = ? and role_id = 'admin' and status = 'active' and shell_user_id is not null`, [ann.organizationId]);
    expect(left?.admins).toBe('1');
  });

  it('leave a trail: who invited, suspended and promoted whom', async () => {
    const bob = await drive().colleague(ann);
    await as().put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await as().post(`/api/users/${bob.id}/roles`).send({ roleId: 'admin' }).expect(201);
    const { data } = (await as().get('/api/audit').expect(200)).body;
    expect(data.slice(0, 3)).toMatchObject([{ action: 'users.role_granted', actorId: ann.id, subjectId: bob.id, details: { role: 'admin' } }, { action: 'users.suspended', subjectName: bob.email }, { action: 'users.joined', actorId: bob.id }]);
    expect(data[0].requestId).toEqual(expect.any(String));
  });

  it('leave a trail of what they were refused, which nobody can fill', async () => {
    const bob = await drive().colleague(ann);
    const folder = await drive().makeFolder(ann);
    await as(bob).patch(`/api/folders/${folder.id}`).send({ name: 'mine' }).expect(403);
    await as(bob).get('/api/users').expect(403);
    await as(bob).get('/api/files?limit=0').expect(400); // a mistake, and nothing of anybody's
    const refusals = async () => ((await as().get('/api/audit?limit=100').expect(200)).body.data as { action: string; actorId: string; subjectId: string | null; subjectName: string; details: object }[]).filter(({ action }) => action === 'request.refused');
    await eventually(async () => (await refusals()).length === 2, 5000, 'both written down');
    expect((await refusals()).map(({ actorId, subjectId, subjectName, details }) => ({ actorId, subjectId, subjectName, details }))).toEqual(expect.arrayContaining([
      { actorId: bob.id, subjectId: folder.id, subjectName: 'PATCH /api/folders/:id', details: { status: 403, reason: 'folders.not_yours' } },
      { actorId: bob.id, subjectId: null, subjectName: 'GET /api/users', details: { status: 403, reason: 'auth.permission_denied' } },
    ]));
    for (let n = 0; n < 60; n += 1) await as(bob).delete(`/api/files/${randomUUID()}`).expect(404);
    await drive().drive.container.refusals.stop();
    expect((await refusals()).length).toBeLessThanOrEqual(60); // 30 a minute, and a minute may begin meanwhile
  });
});
