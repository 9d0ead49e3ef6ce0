import { randomUUID } from 'node:crypto';
import { ORGANIZATION_ADMIN_PERMISSIONS, SHELL_PERMISSIONS } from '../src/permissions.js';
import { feeds, personIn, platformOf, roleIn, systemRole, type Person } from './support/people.js';
import { useShell } from './support/shell.js';

const shell = useShell();

let organizationId: string;
let owner: Person;
beforeEach(async () => {
  organizationId = (await shell().organization()).id;
  owner = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
});

const made = async (body: object = {}): Promise<{ id: string; etag: string; name: string; permissions: string[] }> => {
  const answer = await shell().as(owner.token).post('/api/roles').send({ name: `Role ${randomUUID().slice(0, 8)}`, ...body }).expect(201);
  return { ...answer.body.data, etag: answer.headers['etag'] };
};
const codesOf = async (id: string): Promise<string[]> => (await shell().query<{ permission: string }>('select permission from role_permissions where role_id = ? order by permission', [id])).map(({ permission }) => permission);
const rolesIn = async (id: string): Promise<number> => (await shell().query('select from roles where organization_id = ?', [id])).length;
const appWith = async (...codes: string[]): Promise<string> => {
  const [id, slug] = [randomUUID(), `app-${randomUUID().slice(0, 8)}`];
  await shell().query(`insert into apps (id, slug, name, type, api_url, status, managed_by, revision, created_at, updated_at) values (?, ?, ?, 'satellite', '/x', 'active', 'api', 1, now(), now())`, [id, slug, slug]);
  for (const code of codes) await shell().query('insert into app_permissions (app_id, code, description) values (?, ?, ?)', [id, `${slug}.${code}`, `May ${code}`]);
  return slug;
};

describe('making a role', () => {
  it.each([
    ['name', { name: '' }], ['name', { name: '  ' }], ['name', { name: ' ADMIN' }], ['name', { name: 'AD\u200bMIN' }], ['name', { name: 'x'.repeat(65) }], ['name', { name: 'two\nlines' }], ['name', { name: 7 }],
    ['description', { description: 'x'.repeat(501) }],
    ['permissions', { permissions: 'users:list' }], ['permissions.1', { permissions: ['users:list', 'users:everything'] }], ['permissions.0', { permissions: ['*'] }], ['permissions.0', { permissions: ['users:*'] }],
    ['permissions.0', { permissions: ['Users:list'] }], ['permissions.0', { permissions: [''] }], ['permissions.0', { permissions: ['registry:write'] }], ['permissions.0', { permissions: ['REGISTRY_WRITE'] }], ['permissions.0', { permissions: ['users:list '] }],
    ['organizationId', { organizationId: null }], ['system', { system: true }],
  ])('refuses a wrong %s and writes nothing: %j', async (field, over) => {
    const { error } = (await shell().as(owner.token).post('/api/roles').send({ name: 'Fine', ...over }).expect(400)).body;
    expect(error.details.fields.map((problem: { field: string }) => problem.field).join()).toContain(field);
    expect(await rolesIn(organizationId)).toBe(0);
  });

  it('answers the role with 201, takes either notation, and announces it', async () => {
    const before = await feeds(shell());
    const answer = await shell().as(owner.token).post('/api/roles').send({ name: 'Editors', description: 'Who edits', permissions: ['USERS_LIST', 'users:read', 'users:list'] }).expect(201);
    expect(answer.body.data).toEqual({ id: expect.any(String), organizationId, name: 'Editors', description: 'Who edits', system: false, permissions: ['users:list', 'users:read'], version: 1, createdAt: expect.any(String), updatedAt: expect.any(String) });
    expect(answer.headers['etag']).toBe('"1"');
    expect((await feeds(shell())).policy).toBe(before.policy + 1);
  });

  it.each(['ADMIN', 'admin', 'User', 'super_admin'])('keeps the name %s for the system', async (name) => {
    const { error } = (await shell().as(owner.token).post('/api/roles').send({ name }).expect(409)).body;
    expect(error.details.reason).toBe('roles.name_in_use');
    const { id } = await made();
    await shell().as(owner.token).put(`/api/roles/${id}`).send({ name }).expect(409);
  });

  it('lets one of 10 at once have the name, and others elsewhere have it too', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => shell().as(owner.token).post('/api/roles').send({ name: n % 2 === 0 ? 'Editors' : 'EDITORS' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    const elsewhere = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    await shell().as(elsewhere.token).post('/api/roles').send({ name: 'Editors' }).expect(201);
  });
});

describe('granting', () => {
  let writer: Person;
  beforeEach(async () => {
    writer = await personIn(shell(), organizationId, { permissions: ['roles:write', 'roles:read', 'users:list'] });
  });

  it('refuses a role that holds what the caller lacks, however it is made, and says what', async () => {
    const mine = (await shell().query<{ id: string }>('select role_id as id from user_roles where user_id = ?', [writer.id]))[0]?.id ?? '';
    const before = await feeds(shell());
    const attempts = [
      () => shell().as(writer.token).post('/api/roles').send({ name: 'Sneaky', permissions: ['users:list', 'users:delete', 'SETTINGS_READ'] }),
      () => shell().as(writer.token).put(`/api/roles/${mine}`).send({ permissions: ['roles:write', 'users:delete', 'SETTINGS_READ'] }),
      () => shell().as(writer.token).post(`/api/roles/${mine}/permissions`).send({ permissions: ['roles:write', 'USERS_DELETE', 'settings:read'] }),
    ];
    for (const attempt of attempts) {
      const { error } = (await attempt().expect(403)).body;
      expect(error.details).toEqual({ reason: 'roles.not_grantable', permissions: ['settings:read', 'users:delete'], roles: [] });
    }
    expect(await codesOf(mine)).toEqual(['roles:read', 'roles:write', 'users:list']);
    expect(await feeds(shell())).toEqual(before);
    await shell().as(writer.token).post(`/api/roles/${mine}/permissions`).send({ permissions: ['roles:write'] }).expect(200);
  });

  it('keeps permissions of the platform from the administrator of an organization', async () => {
    for (const code of SHELL_PERMISSIONS.filter((known) => !ORGANIZATION_ADMIN_PERMISSIONS.includes(known))) {
      await shell().as(owner.token).post('/api/roles').send({ name: 'Platform', permissions: [code] }).expect(403);
    }
    await made({ permissions: [...ORGANIZATION_ADMIN_PERMISSIONS] });
  });

  it('lets administrators, and nobody else, give out what apps declare', async () => {
    const slug = await appWith('files:read', 'shared_files:write');
    const { id, permissions } = await made({ permissions: [`${slug}.files:read`, `${slug}.shared_files:write`.replace(':', '_').toUpperCase()] });
    expect(permissions).toEqual([`${slug}.files:read`, `${slug}.shared_files:write`]);
    await shell().as(writer.token).post('/api/roles').send({ name: 'Files', permissions: [`${slug}.files:read`] }).expect(403);
    await shell().as(owner.token).post(`/api/users/${writer.id}/roles`).send({ roleIds: [id] }).expect(201);
    await shell().as(writer.token).post('/api/roles').send({ name: 'Files', permissions: [`${slug}.files:read`] }).expect(201);
  });

  it('lets administrators give out a role whose app is out of the registry, but take no such code into a set', async () => {
    const slug = await appWith('files:read');
    const { id } = await made({ permissions: [`${slug}.files:read`] });
    await shell().query('delete from apps where slug = ?', [slug]);
    await shell().as(owner.token).post(`/api/users/${writer.id}/roles`).send({ roleIds: [id] }).expect(201);
    await shell().as(owner.token).post(`/api/roles/${id}/permissions`).send({ permissions: [`${slug}.files:read`] }).expect(400);
    await shell().as(owner.token).put(`/api/roles/${id}`).send({ description: 'kept' }).expect(200);
    expect(await codesOf(id)).toEqual([`${slug}.files:read`]);
  });

  it('takes no notation that could mean two permissions', async () => {
    const slug = await appWith('a_b:c', 'a:b_c');
    await shell().as(owner.token).post('/api/roles').send({ name: 'Twice', permissions: [`${slug}.a_b_c`.toUpperCase()] }).expect(400);
    await made({ permissions: [`${slug}.a_b:c`, `${slug}.a:b_c`] });
  });
});

describe('seeing roles', () => {
  it('shows the organization\'s and the system\'s, never the platform\'s or others\'', async () => {
    const theirs = await roleIn(shell(), (await shell().organization()).id, []);
    const { name } = await made();
    const answer = await shell().as(owner.token).get('/api/roles').expect(200);
    expect(answer.body.data.map((role: { name: string; system: boolean }) => [role.name, role.system])).toEqual([['ADMIN', true], [name, false], ['USER', true]]);
    expect(answer.body.pagination.total).toBe(3);
    for (const id of [theirs, await systemRole(shell(), 'SUPER_ADMIN'), randomUUID()]) {
      for (const path of [`/api/roles/${id}`, `/api/roles/${id}/permissions`]) {
        const { error } = (await shell().as(owner.token).get(path).expect(404)).body;
        expect(error.details).toEqual({ reason: 'roles.not_found', roleIds: [id] });
      }
      await shell().as(owner.token).put(`/api/roles/${id}`).send({ name: 'Mine' }).expect(404);
      await shell().as(owner.token).post(`/api/roles/${id}/permissions`).send({ permissions: [] }).expect(404);
      await shell().as(owner.token).delete(`/api/roles/${id}`).expect(404);
    }
  });

  it('shows the platform\'s role to the platform', async () => {
    const chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
    const { data } = (await shell().as(chief.token).get(`/api/roles/${await systemRole(shell(), 'SUPER_ADMIN')}`).expect(200)).body;
    expect(data).toMatchObject({ name: 'SUPER_ADMIN', organizationId: null, system: true, permissions: [...SHELL_PERMISSIONS].sort() });
  });

  it.each(['sort=organizationId', 'filter={"organizationId":null}', 'filter={"id":"x"}', 'filter={"name":["x"]}', 'limit=0'])('refuses ?%s', async (query) => {
    await shell().as(owner.token).get(`/api/roles?${query.replace(/[{}"[\]]/g, encodeURIComponent)}`).expect(400);
  });

  it('filters and sorts', async () => {
    for (const name of ['Sorted 1', 'Sorted 2', 'Sorted 3']) await made({ name });
    const filter = encodeURIComponent('{"name":{"contains":"sorted"}}');
    const answer = await shell().as(owner.token).get(`/api/roles?sort=-name&limit=2&filter=${filter}`).expect(200);
    expect(answer.body.data.map((role: { name: string }) => role.name)).toEqual(['Sorted 3', 'Sorted 2']);
  });
});

describe('changing a role', () => {
  it.each(['ADMIN', 'USER'])('refuses every change of the system\'s role %s', async (name) => {
    const id = await systemRole(shell(), name);
    const before = await codesOf(id);
    for (const answer of [
      await shell().as(owner.token).put(`/api/roles/${id}`).send({ description: 'mine' }),
      await shell().as(owner.token).put(`/api/roles/${id}`).send({}),
      await shell().as(owner.token).post(`/api/roles/${id}/permissions`).send({ permissions: [] }),
      await shell().as(owner.token).delete(`/api/roles/${id}`),
    ]) expect([answer.status, answer.body.error.details.reason]).toEqual([403, 'roles.system_role']);
    expect(await codesOf(id)).toEqual(before);
  });

  it('refuses it to the platform too', async () => {
    const chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
    await shell().as(chief.token).post(`/api/roles/${await systemRole(shell(), 'SUPER_ADMIN')}/permissions`).send({ permissions: [] }).expect(403);
    await shell().as(chief.token).delete(`/api/roles/${await systemRole(shell(), 'USER')}`).expect(403);
  });

  it('changes what is given, and the entity tag with the permissions too', async () => {
    const { id, etag, name } = await made({ description: 'before', permissions: ['users:list'] });
    const described = await shell().as(owner.token).put(`/api/roles/${id}`).set('if-match', etag).send({ description: '' }).expect(200);
    expect(described.body.data).toMatchObject({ name, description: '', permissions: ['users:list'], version: 2 });
    await shell().as(owner.token).put(`/api/roles/${id}`).set('if-match', etag).send({ name: 'Late' }).expect(412);
    await shell().as(owner.token).post(`/api/roles/${id}/permissions`).set('if-match', etag).send({ permissions: [] }).expect(412);
    await shell().as(owner.token).delete(`/api/roles/${id}`).set('if-match', etag).expect(412);
    const replaced = await shell().as(owner.token).post(`/api/roles/${id}/permissions`).set('if-match', '"2"').send({ permissions: ['ROLES_READ', 'users:read'] }).expect(200);
    expect([replaced.body.data, replaced.headers['etag']]).toEqual([['roles:read', 'users:read'], '"3"']);
    expect((await shell().as(owner.token).get(`/api/roles/${id}/permissions`).expect(200)).body.data).toEqual(['roles:read', 'users:read']);
  });

  it('replaces the set as a whole when many write at once', async () => {
    const { id } = await made();
    const sets = [['users:list', 'users:read'], ['roles:list', 'roles:read'], ['plans:list', 'plans:read']];
    const answers = await Promise.all([...sets, ...sets].map((permissions) => shell().as(owner.token).post(`/api/roles/${id}/permissions`).send({ permissions })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(sets).toContainEqual(await codesOf(id));
  });

  it('takes effect on who holds it with the next request, and is announced', async () => {
    const { id } = await made({ permissions: ['users:list'] });
    const person = await personIn(shell(), organizationId);
    await shell().as(owner.token).post(`/api/users/${person.id}/roles`).send({ roleIds: [id] }).expect(201);
    await shell().as(person.token).get('/api/users').expect(200);
    const before = await feeds(shell());
    await shell().as(owner.token).post(`/api/roles/${id}/permissions`).send({ permissions: [] }).expect(200);
    await shell().as(person.token).get('/api/users').expect(403);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 1, revocations: before.revocations });
  });

  it('removes a role that is in use, and takes it from everybody', async () => {
    const { id } = await made({ permissions: ['users:list'] });
    const person = await personIn(shell(), organizationId);
    await shell().as(owner.token).post(`/api/users/${person.id}/roles`).send({ roleIds: [id] }).expect(201);
    const before = await feeds(shell());
    await shell().as(owner.token).delete(`/api/roles/${id}`).expect(204);
    expect((await feeds(shell())).policy).toBe(before.policy + 1);
    await shell().as(owner.token).delete(`/api/roles/${id}`).expect(404);
    await shell().as(person.token).get('/api/users').expect(403);
    expect((await shell().as(owner.token).get(`/api/users/${person.id}/roles`)).body.data).toEqual([]);
  });
});

describe('the permission list', () => {
  it('has the Shell\'s codes and those of all registered apps, each described', async () => {
    const slug = await appWith('files:read');
    const { data } = (await shell().as(owner.token).get('/api/permissions').expect(200)).body;
    const ofShell = data.filter((permission: { app: string | null }) => permission.app === null);
    expect(ofShell.map((permission: { code: string }) => permission.code)).toEqual([...SHELL_PERMISSIONS]);
    expect(ofShell.every((permission: { description: string }) => permission.description !== '')).toBe(true);
    expect(data).toContainEqual({ code: `${slug}.files:read`, description: 'May files:read', app: slug });
  });
});
