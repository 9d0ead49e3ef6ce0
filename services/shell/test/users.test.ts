import { randomUUID } from 'node:crypto';
import { ORGANIZATION_ADMIN_PERMISSIONS, SHELL_PERMISSIONS } from '../src/permissions.js';
import { feeds, personIn, platformOf, roleIn, systemRole, tokenOf, type Person } from './support/people.js';
import { organizationOn } from './support/plans.js';
import { useShell } from './support/shell.js';

const shell = useShell();

let organizationId: string;
let owner: Person;
beforeEach(async () => {
  organizationId = await organizationOn(shell(), 'ENTERPRISE'); // as many people as a test wants
  owner = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
});

const nick = (): string => `u${randomUUID().slice(0, 8)}`;
const ann = (over: object = {}) => {
  const username = nick();
  return { email: `${username}@example.org`, username, firstName: 'Ann', lastName: 'Example', password: 'a quite long password', ...over };
};
const added = async (over: object = {}): Promise<{ id: string; etag: string; email: string; username: string }> => {
  const answer = await shell().as(owner.token).post('/api/users').send(ann(over)).expect(201);
  return { ...answer.body.data, etag: answer.headers['etag'] };
};
const rowOf = async (id: string) => (await shell().query<{ email: string; status: string; organizationId: string; passwordHash: string | null }>('select email, status, organization_id as "organizationId", password_hash as "passwordHash" from users where id = ?', [id]))[0];
const peopleIn = async (id: string): Promise<number> => Number((await shell().query<{ count: string }>('select count(*) from users where organization_id = ?', [id]))[0]?.count);

describe('adding a user', () => {
  it.each(['roles', 'isSuperAdmin', 'organizationId', 'passwordHash', 'emailVerified', 'status', 'id'])('refuses the field %s and writes nothing', async (field) => {
    const { error } = (await shell().as(owner.token).post('/api/users').send(ann({ [field]: field === 'roles' ? ['SUPER_ADMIN'] : 'x' })).expect(400)).body;
    expect(error.details.fields).toEqual([expect.objectContaining({ field: expect.stringContaining(field) })]);
    expect(await peopleIn(organizationId)).toBe(1);
  });

  it.each([
    ['email', 'nobody'], ['email', 'a b@example.org'], ['email', 'a@example.org\nbcc: x@evil.test'], ['email', 'a@example.org,b@evil.test'], ['email', '<a@example.org>'], ['email', `${'x'.repeat(250)}@example.org`], ['email', 7],
    ['username', ''], ['username', 'ann@example.org'], ['username', 'two words'], ['username', 'x'.repeat(65)], ['username', '-x'],
    ['firstName', ''], ['firstName', '  '], ['firstName', 'x'.repeat(101)], ['lastName', 'evil\u202egnp'], ['lastName', 'a\u0000b'], ['lastName', null],
    ['password', 'short'], ['password', ''], ['password', 'x'.repeat(73)], ['password', 'password1'], ['password', 'nul\u0000 in the middle'],
    ['roleIds', ['not-an-id']], ['roleIds', 'x'],
  ])('refuses %s = %j', async (field, value) => {
    const { error } = (await shell().as(owner.token).post('/api/users').send(ann({ [field]: value })).expect(400)).body;
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.details.fields.map((problem: { field: string }) => problem.field).join()).toContain(field);
    expect(await peopleIn(organizationId)).toBe(1);
  });

  it('puts the user into the caller\'s organization, without showing the hash, ready to sign in', async () => {
    const body = ann({ roleIds: [await systemRole(shell(), 'USER')] });
    const before = await feeds(shell());
    const answer = await shell().as(owner.token).post('/api/users').send(body).expect(201);
    const { password, roleIds, ...shown } = body as ReturnType<typeof ann> & { roleIds: string[] };
    expect(answer.body.data).toEqual({ ...shown, id: expect.any(String), organizationId, status: 'active', roles: roleIds, version: 1, createdAt: expect.any(String), updatedAt: expect.any(String) });
    expect(answer.headers['etag']).toBe('"1"');
    expect((await feeds(shell())).policy).toBe(before.policy + 1);
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: body.username, password }).expect(200);
  });

  it('invites a user without a password, in the same commit', async () => {
    const { id, email } = await added({ password: undefined });
    expect((await rowOf(id))?.passwordHash).toBeNull();
    expect(await shell().query('select purpose, email from password_links where user_id = ?', [id])).toEqual([{ purpose: 'invitation', email }]);
    const taken = ann({ email, password: undefined });
    await shell().as(owner.token).post('/api/users').send(taken).expect(409);
    expect(await shell().query('select from mail_outbox where recipient = ?', [email])).toHaveLength(1);
  });

  it('refuses an e-mail address or user name that anybody on the platform has, in any case', async () => {
    const theirs = await personIn(shell(), (await shell().organization()).id);
    const byEmail = await shell().as(owner.token).post('/api/users').send(ann({ email: theirs.email.toUpperCase() })).expect(409);
    expect(byEmail.body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'users.email_in_use' } });
    const byName = await shell().as(owner.token).post('/api/users').send(ann({ username: theirs.id.toUpperCase() })).expect(409);
    expect(byName.body.error.details.reason).toBe('users.username_in_use');
  });

  it('lets one of 10 at once have the address', async () => {
    const email = `${nick()}@example.org`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => shell().as(owner.token).post('/api/users').send(ann({ email, password: undefined }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('gives no role that the caller could not assign, and then adds nobody', async () => {
    const helper = await personIn(shell(), organizationId, { permissions: ['users:write'] });
    const theirs = await roleIn(shell(), (await shell().organization()).id, []);
    for (const [roleId, status] of [[await systemRole(shell(), 'ADMIN'), 403], [await systemRole(shell(), 'SUPER_ADMIN'), 404], [theirs, 404], [randomUUID(), 404]] as const) {
      await shell().as(helper.token).post('/api/users').send(ann({ roleIds: [roleId] })).expect(status);
    }
    expect(await peopleIn(organizationId)).toBe(2);
  });
});

describe('seeing users', () => {
  it('pages, sorts and filters within the organization', async () => {
    const theirs = await shell().organization();
    await personIn(shell(), theirs.id);
    for (const [n, lastName] of ['Carter', 'Adams', 'Baker'].entries()) await added({ lastName, firstName: `Paged ${n}`, password: undefined });
    const filter = encodeURIComponent(JSON.stringify({ firstName: { startsWith: 'paged' }, status: 'active' }));
    const answer = await shell().as(owner.token).get(`/api/users?limit=2&sort=-lastName&filter=${filter}`).expect(200);
    expect(answer.body.data.map((user: { lastName: string }) => user.lastName)).toEqual(['Carter', 'Baker']);
    expect(answer.body.pagination).toEqual({ page: 1, limit: 2, total: 3 });
    expect((await shell().as(owner.token).get('/api/users')).body.pagination.total).toBe(4);
    expect(JSON.stringify(answer.body)).not.toMatch(/hash|password/i);
  });

  it.each(['sort=passwordHash', 'sort=name;drop', 'sort=email&sort=username', 'filter={"passwordHash":{"startsWith":"$2"}}', 'filter={"organizationId":"x"}', 'filter={"$or":[{"email":"x"}]}', 'filter={"email":{"$ne":"x"}}', 'filter={"status":"gone"}', 'filter={"email":{"eq":{"a":1}}}', 'filter=[]', 'limit=101', 'page=0'])('refuses ?%s', async (query) => {
    const answer = await shell().as(owner.token).get(`/api/users?${query.replace(/[{}"[\]$]/g, encodeURIComponent)}`);
    expect([query, answer.status]).toEqual([query, 400]);
  });

  it('answers 404 for users of others, unknown ones alike, and 400 for no id', async () => {
    const theirs = await personIn(shell(), (await shell().organization()).id);
    const [known, unknown] = await Promise.all([theirs.id, randomUUID()].map((id) => shell().as(owner.token).get(`/api/users/${id}`).expect(404)));
    expect({ ...known?.body.error, requestId: '' }).toEqual({ ...unknown?.body.error, requestId: '' });
    await shell().as(owner.token).get('/api/users/me').expect(400);
  });

  it('shows one user with roles and entity tag, whatever the case of the id', async () => {
    const { id, etag } = await added();
    const answer = await shell().as(owner.token).get(`/api/users/${id.toUpperCase()}`).expect(200);
    expect([answer.body.data.id, answer.body.data.roles, answer.headers['etag']]).toEqual([id, [], etag]);
  });
});

describe('changing a user', () => {
  it.each(['roles', 'roleIds', 'isSuperAdmin', 'organizationId', 'password', 'passwordHash', 'emailVerified', 'version', 'preferences'])('refuses the field %s and changes nothing', async (field) => {
    const { id, email } = await added({ password: undefined });
    await shell().as(owner.token).put(`/api/users/${id}`).send({ email: `new-${email}`, [field]: true }).expect(400);
    expect(await rowOf(id)).toMatchObject({ email, organizationId });
  });

  it.each([{ status: 'deleted' }, { email: 'x' }, { email: null }, { firstName: '' }, { username: 'a@b.example' }])('refuses %j', async (body) => {
    const { id } = await added({ password: undefined });
    await shell().as(owner.token).put(`/api/users/${id}`).send(body).expect(400);
  });

  it('changes what is given, refuses a stale entity tag', async () => {
    const { id, etag, username } = await added();
    const answer = await shell().as(owner.token).put(`/api/users/${id}`).set('if-match', etag).send({ firstName: 'Anna' }).expect(200);
    expect(answer.body.data).toMatchObject({ firstName: 'Anna', lastName: 'Example', username });
    expect(answer.headers['etag']).toBe('"2"');
    await shell().as(owner.token).put(`/api/users/${id}`).set('if-match', etag).send({ firstName: 'Late' }).expect(412);
    await shell().as(owner.token).delete(`/api/users/${id}`).set('if-match', etag).expect(412);
    expect((await shell().as(owner.token).get(`/api/users/${id}`)).body.data.firstName).toBe('Anna');
  });

  it('lets one of 8 writers with the same entity tag through', async () => {
    const { id, etag } = await added();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => shell().as(owner.token).put(`/api/users/${id}`).set('if-match', etag).send({ lastName: `Writer ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });

  it('voids links that were sent to the old address', async () => {
    const { id, email } = await added({ password: undefined });
    await shell().as(owner.token).put(`/api/users/${id}`).send({ lastName: 'Same address' }).expect(200);
    expect(await shell().query('select from password_links where user_id = ?', [id])).toHaveLength(1);
    await shell().as(owner.token).put(`/api/users/${id}`).send({ email: `new-${email}` }).expect(200);
    expect(await shell().query('select from password_links where user_id = ?', [id])).toHaveLength(0);
  });

  it('refuses an address or name that somebody else has', async () => {
    const [one, other] = [await added({ password: undefined }), await added({ password: undefined })];
    const { error } = (await shell().as(owner.token).put(`/api/users/${one.id}`).send({ email: other.email.toUpperCase() }).expect(409)).body;
    expect(error.details.reason).toBe('users.email_in_use');
    await shell().as(owner.token).put(`/api/users/${one.id}`).send({ username: other.username }).expect(409);
    await shell().as(owner.token).put(`/api/users/${one.id}`).send({ email: one.email.toUpperCase() }).expect(200);
  });

  it('lets nobody take over somebody who may do more, by changing their address', async () => {
    const helper = await personIn(shell(), organizationId, { permissions: ['users:write', 'users:read'] });
    const { error } = (await shell().as(helper.token).put(`/api/users/${owner.id}`).send({ email: 'helper@evil.test' }).expect(403)).body;
    expect(error.details.reason).toBe('users.outranked');
    expect((await rowOf(owner.id))?.email).toBe(owner.email);
    const equal = await personIn(shell(), organizationId, { permissions: ['users:read'] });
    await shell().as(helper.token).put(`/api/users/${equal.id}`).send({ email: `${nick()}@example.org` }).expect(200);
    await shell().as(helper.token).put(`/api/users/${helper.id}`).send({ email: `${nick()}@example.org` }).expect(200);
  });
});

describe('suspending and removing a user', () => {
  it('ends sessions and tokens at once, and announces it', async () => {
    const person = await personIn(shell(), organizationId, { permissions: ['users:list'] });
    await shell().as(person.token).get('/api/users').expect(200);
    const before = await feeds(shell());
    await shell().as(owner.token).put(`/api/users/${person.id}`).send({ status: 'suspended' }).expect(200);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 1, revocations: before.revocations + 1 });
    expect(await shell().query('select kind, subject from revocations where seq = ?', [before.revocations + 1])).toEqual([{ kind: 'user', subject: person.id }]);
    expect(await shell().query('select end_reason as reason from sessions where user_id = ? and ended_at is not null', [person.id])).toEqual([{ reason: 'suspended' }]);
    await shell().as(person.token).get('/api/users').expect(401);
  });

  it('does not bring sessions back with the person', async () => {
    const person = await personIn(shell(), organizationId, { permissions: ['users:list'] });
    await shell().as(owner.token).put(`/api/users/${person.id}`).send({ status: 'suspended' }).expect(200);
    const raced = await tokenOf(shell(), person.id, organizationId);
    await shell().as(owner.token).put(`/api/users/${person.id}`).send({ status: 'active' }).expect(200);
    for (const token of [person.token, raced]) await shell().as(token).get('/api/users').expect(401);
    expect(await shell().query('select subject from revocations where kind = ? order by seq desc limit 1', ['session'])).toHaveLength(1);
    await shell().as(await tokenOf(shell(), person.id, organizationId)).get('/api/users').expect(200);
  });

  it('removes a user with what is theirs, and frees the names', async () => {
    const body = ann();
    const { id } = await added(body);
    const token = await tokenOf(shell(), id, organizationId);
    const before = await feeds(shell());
    await shell().as(owner.token).delete(`/api/users/${id}`).expect(204);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 1, revocations: before.revocations + 1 });
    await shell().as(owner.token).delete(`/api/users/${id}`).expect(404);
    await shell().as(token).get('/api/auth/me').expect(401);
    await added(body);
  });
});

describe('roles of a user', () => {
  it('adds, lists and takes away', async () => {
    const { id, etag } = await added();
    const [one, two] = [await roleIn(shell(), organizationId, ['users:list']), await roleIn(shell(), organizationId, [])];
    const before = await feeds(shell());
    expect((await shell().as(owner.token).post(`/api/users/${id}/roles`).send({ roleIds: [one, one] }).expect(201)).body.data).toEqual([one]);
    expect((await shell().as(owner.token).post(`/api/users/${id}/roles`).send({ roleIds: [two.toUpperCase()] }).expect(201)).body.data).toEqual([one, two]);
    await shell().as(owner.token).delete(`/api/users/${id}/roles/${one}`).expect(204);
    expect((await shell().as(owner.token).get(`/api/users/${id}/roles`).expect(200)).body.data).toEqual([two]);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 3, revocations: before.revocations });
    expect((await shell().as(owner.token).get(`/api/users/${id}`)).headers['etag']).not.toBe(etag);
    const { error } = (await shell().as(owner.token).delete(`/api/users/${id}/roles/${one}`).expect(404)).body;
    expect(error.details.reason).toBe('users.role_not_assigned');
  });

  it('refuses an empty list, a missing list and ids that are none', async () => {
    const { id } = await added({ password: undefined });
    for (const body of [{}, { roleIds: [] }, { roleIds: ['x'] }, { roleIds: [randomUUID()], organizationId }]) await shell().as(owner.token).post(`/api/users/${id}/roles`).send(body).expect(400);
  });

  it('assigns all of the roles or none', async () => {
    const { id } = await added({ password: undefined });
    const role = await roleIn(shell(), organizationId, []);
    await shell().as(owner.token).post(`/api/users/${id}/roles`).send({ roleIds: [role, randomUUID()] }).expect(404);
    expect((await shell().as(owner.token).get(`/api/users/${id}/roles`)).body.data).toEqual([]);
  });

  it('knows no role of another organization, and not the platform\'s', async () => {
    const { id } = await added({ password: undefined });
    const theirs = await roleIn(shell(), (await shell().organization()).id, []);
    for (const roleId of [theirs, await systemRole(shell(), 'SUPER_ADMIN')]) {
      await shell().as(owner.token).post(`/api/users/${id}/roles`).send({ roleIds: [roleId] }).expect(404);
      await shell().as(owner.token).delete(`/api/users/${id}/roles/${roleId}`).expect(404);
    }
  });

  it('refuses to give more than one holds, and says what', async () => {
    const helper = await personIn(shell(), organizationId, { permissions: ['users:write'] });
    const role = await roleIn(shell(), organizationId, ['users:write', 'users:delete', 'roles:write']);
    const { error } = (await shell().as(helper.token).post(`/api/users/${helper.id}/roles`).send({ roleIds: [role] }).expect(403)).body;
    expect(error.details).toMatchObject({ reason: 'roles.not_grantable', permissions: ['roles:write', 'users:delete'] });
  });

  it('lets only administrators make administrators: the name itself opens doors in every app', async () => {
    const deputy = await personIn(shell(), organizationId, { permissions: ORGANIZATION_ADMIN_PERMISSIONS });
    const admin = await systemRole(shell(), 'ADMIN');
    const { error } = (await shell().as(deputy.token).post(`/api/users/${deputy.id}/roles`).send({ roleIds: [admin] }).expect(403)).body;
    expect(error.details).toMatchObject({ reason: 'roles.not_grantable', roles: ['ADMIN'] });
    await shell().as(owner.token).post(`/api/users/${deputy.id}/roles`).send({ roleIds: [admin] }).expect(201);
  });

  it('lets nobody but its bearers pass on the platform\'s role', async () => {
    const platform = await platformOf(shell());
    const almost = await personIn(shell(), platform, { systemRole: 'ADMIN', permissions: SHELL_PERMISSIONS });
    const { error } = (await shell().as(almost.token).post(`/api/users/${almost.id}/roles`).send({ roleIds: [await systemRole(shell(), 'SUPER_ADMIN')] }).expect(403)).body;
    expect(error.details).toMatchObject({ permissions: [], roles: ['SUPER_ADMIN'] });
  });

  it('lets the platform make platform administrators, in its own organization only', async () => {
    const platform = await platformOf(shell());
    const [chief, person] = [await personIn(shell(), platform, { systemRole: 'SUPER_ADMIN' }), await personIn(shell(), platform)];
    const role = await systemRole(shell(), 'SUPER_ADMIN');
    await shell().as(chief.token).post(`/api/users/${owner.id}/roles`).send({ roleIds: [role] }).expect(404);
    await shell().as(chief.token).post(`/api/users/${person.id}/roles`).send({ roleIds: [role] }).expect(201);
  });
});

describe('the last owner', () => {
  const attempts: [string, (id: string) => Promise<{ status: number; body: { error?: { details: { reason: string } } } }>][] = [
    ['removed', (id) => shell().as(owner.token).delete(`/api/users/${id}`)],
    ['suspended', (id) => shell().as(owner.token).put(`/api/users/${id}`).send({ status: 'suspended' })],
    ['demoted', async (id) => shell().as(owner.token).delete(`/api/users/${id}/roles/${await systemRole(shell(), 'ADMIN')}`)],
  ];

  it.each(attempts)('cannot be %s', async (_what, attempt) => {
    await personIn(shell(), organizationId, { permissions: ORGANIZATION_ADMIN_PERMISSIONS }); // can do it all, but is no owner
    const suspended = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
    await shell().query(`update users set status = 'suspended' where id = ?`, [suspended.id]);
    const before = await feeds(shell());
    const answer = await attempt(owner.id);
    expect([answer.status, answer.body.error?.details.reason]).toEqual([409, 'users.last_owner']);
    expect(await feeds(shell())).toEqual(before);
    await shell().as(owner.token).get('/api/users').expect(200);
  });

  it.each(attempts)('remains when all of four are %s at once', async (_what, attempt) => {
    const others = [];
    for (let n = 0; n < 3; n += 1) others.push((await personIn(shell(), organizationId, { systemRole: 'ADMIN' })).id);
    const boss = await personIn(shell(), organizationId, { permissions: ORGANIZATION_ADMIN_PERMISSIONS });
    const mine = owner;
    owner = boss; // the requests come from somebody who is not removed by them
    const answers = await Promise.all([mine.id, ...others].map(attempt));
    expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
    const left = await shell().query(`select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id where u.organization_id = ? and u.status = 'active' and r.name = 'ADMIN'`, [organizationId]);
    expect(left).toHaveLength(1);
  });

  it('of the platform is a SUPER_ADMIN, even beside an ADMIN', async () => {
    const platform = await platformOf(shell());
    const [chief] = await shell().query<{ id: string }>(`select u.id from users u where u.organization_id = ? and u.username = 'admin'`, [platform]);
    await shell().query(`update users set status = 'suspended' where organization_id = ? and username <> 'admin'`, [platform]);
    await personIn(shell(), platform, { systemRole: 'ADMIN' });
    const token = await tokenOf(shell(), chief?.id ?? '', platform);
    for (const answer of [
      await shell().as(token).delete(`/api/users/${chief?.id}/roles/${await systemRole(shell(), 'SUPER_ADMIN')}`),
      await shell().as(token).delete(`/api/users/${chief?.id}`),
      await shell().as(token).put(`/api/users/${chief?.id}`).send({ status: 'suspended' }),
    ]) expect([answer.status, answer.body.error.details.reason]).toEqual([409, 'users.last_owner']);
  });
});
