import { randomUUID } from 'node:crypto';
import { entriesIn, entriesOf } from './support/audit.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn } from './support/plans.js';
import { ADMIN, useShell } from './support/shell.js';

const shell = useShell();
const idOf = (answer: { headers: Record<string, string> }): string => answer.headers['x-request-id'] ?? '';

let organizationId: string;
let admin: Person;
let platform: Person;
beforeAll(async () => {
  organizationId = await organizationOn(shell(), 'ENTERPRISE'); // as many people as a test wants
  admin = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
  platform = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});

const newUser = (): object => ({ email: `${randomUUID()}@example.org`, username: `u${randomUUID().slice(0, 8)}`, firstName: 'Bo', lastName: 'Example' });
const addUser = async (): Promise<string> => (await shell().as(admin.token).post('/api/users').send(newUser()).expect(201)).body.data.id;

describe('an entry', () => {
  it('says who did what to what, from where, in which request, with what changed', async () => {
    const id = await addUser();
    const answer = await shell().as(admin.token).put(`/api/users/${id}`).set('x-request-id', 'my-request.1').send({ firstName: 'Bea', status: 'suspended' }).expect(200);
    expect(idOf(answer)).toBe('my-request.1');
    expect(await entriesOf(shell(), 'my-request.1')).toEqual([expect.objectContaining({
      organizationId, actorKind: 'user', actorId: admin.id, address: '127.0.0.1', requestId: 'my-request.1', action: 'users.update', targetType: 'user', targetId: id, outcome: 'success', reason: null, occurrences: 1,
      before: { firstName: 'Bo', status: 'active' }, after: { firstName: 'Bea', status: 'suspended' },
    })]);
  });

  it('has no before for what is new, and no after for what is gone', async () => {
    const created = await shell().as(admin.token).post('/api/users').send(newUser()).expect(201);
    const removed = await shell().as(admin.token).delete(`/api/users/${created.body.data.id}`).expect(204);
    const [[made], [gone]] = [await entriesOf(shell(), idOf(created)), await entriesOf(shell(), idOf(removed))];
    expect(made).toMatchObject({ action: 'users.create', before: null, after: { firstName: 'Bo', roles: [] } });
    expect(gone).toMatchObject({ action: 'users.delete', after: null, before: { firstName: 'Bo', roles: [] } });
  });

  it('is written of a refusal, with its reason and without what was asked for', async () => {
    const id = randomUUID();
    const answer = await shell().as(admin.token).put(`/api/users/${id}`).send({ firstName: 'Nobody' }).expect(404);
    expect(await entriesOf(shell(), idOf(answer), 1)).toEqual([expect.objectContaining({ organizationId, actorId: admin.id, action: 'users.update', targetType: 'user', targetId: id, outcome: 'refused', reason: 'users.not_found', before: null, after: null })]);
  });

  it('names the account behind a wrong password, and nobody behind a name that nobody has', async () => {
    const wrong = await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: 'not the password' }).expect(401);
    expect(await entriesOf(shell(), idOf(wrong), 1)).toMatchObject([{ organizationId: platform.organizationId, actorKind: 'anonymous', actorId: null, action: 'auth.sign_in', targetType: 'user', outcome: 'refused', reason: 'auth.invalid_credentials' }]);
    const unknown = await shell().as().post('/api/auth/local-login').send({ username: 'my password in the wrong field', password: 'admin' }).expect(401);
    expect(await entriesOf(shell(), idOf(unknown), 1)).toMatchObject([{ organizationId: null, actorKind: 'anonymous', targetId: null, reason: 'auth.invalid_credentials' }]);
    expect(JSON.stringify(await shell().query('select * from audit_entries'))).not.toContain('wrong field');
  });

  it('is left by signing in and out', async () => {
    const signedIn = await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200);
    const signedOut = await shell().as(signedIn.body.data.accessToken).post('/api/auth/logout').expect(200);
    const [[begun], [ended]] = [await entriesOf(shell(), idOf(signedIn)), await entriesOf(shell(), idOf(signedOut))];
    expect(begun).toMatchObject({ action: 'auth.sign_in', actorKind: 'user', actorName: 'admin', targetType: 'session', after: { method: 'password' } });
    expect(ended).toMatchObject({ action: 'auth.sign_out', actorName: 'admin', targetId: begun?.targetId, after: { endReason: 'logout' } });
    const late = await shell().as(signedIn.body.data.accessToken).post('/api/auth/logout').expect(401);
    expect(await entriesOf(shell(), idOf(late), 1)).toMatchObject([{ action: 'auth.sign_out', actorName: 'admin', outcome: 'refused', reason: 'auth.invalid_token' }]); // the token says who it was
  });

  it('is in the trail of the organization that it is about, whoever did it', async () => {
    const answer = await shell().as(platform.token).put(`/api/organizations/${organizationId}`).send({ type: 'agency' }).expect(200);
    expect(await entriesOf(shell(), idOf(answer))).toMatchObject([{ organizationId, actorId: platform.id, action: 'organizations.update', before: { type: 'company' }, after: { type: 'agency' } }]);
  });
});

describe('a change and its entry', () => {
  it('are there together or not at all', async () => {
    const before = await entriesIn(shell(), organizationId);
    await expect(shell().shell.container.db.run(async () => {
      await shell().shell.container.audit.record({ action: 'users.update', organizationId, target: { type: 'user', id: admin.id } });
      throw new Error('changed my mind');
    })).rejects.toThrow('changed my mind');
    expect(await entriesIn(shell(), organizationId)).toEqual(before);
  });

  it('keep every number of the chain when many come at once', async () => {
    const [{ last = 0 } = {}] = await shell().query<{ last: number }>('select seq::float8 as last from audit_chains where id = ?', [organizationId]);
    await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? shell().as(admin.token).put(`/api/users/${randomUUID()}`).send({}).expect(404) : shell().as(admin.token).post('/api/users').send(newUser()).expect(201))));
    await shell().as(admin.token).get('/api/admin/audit').expect(200); // after which refusals are written
    const seqs = (await entriesIn(shell(), organizationId)).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: last + 12 }, (_, index) => index + 1));
  });
});

describe('reading the trail', () => {
  it('is for who holds settings:read or users:list, and nobody else', async () => {
    await shell().as().get('/api/admin/audit').expect(401);
    await shell().as((await personIn(shell(), organizationId, { systemRole: 'USER' })).token).get('/api/admin/audit').expect(403);
    for (const permission of ['settings:read', 'users:list']) await shell().as((await personIn(shell(), organizationId, { permissions: [permission] })).token).get('/api/admin/audit').expect(200);
  });

  it('shows an organization its own entries, whatever the filter says', async () => {
    const other = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    await shell().as(other.token).post('/api/users').send(newUser()).expect(201);
    for (const filter of [undefined, { organizationId: other.organizationId }, { organizationId: { ne: organizationId } }, { actorId: other.id }, { actorKind: 'system' }]) {
      const { body } = await shell().as(admin.token).get('/api/admin/audit').query(filter ? { filter: JSON.stringify(filter) } : {}).expect(200);
      for (const entry of body.data) expect(entry.organizationId).toBe(organizationId);
    }
    const all = await shell().as(platform.token).get('/api/admin/audit').query({ filter: JSON.stringify({ organizationId: other.organizationId, action: { startsWith: 'users.' } }) }).expect(200);
    expect(all.body.data).toMatchObject([{ action: 'users.create', organizationId: other.organizationId, actor: { kind: 'user', id: other.id }, target: { type: 'user' }, outcome: 'success', count: 1 }]);
  });

  it('gives 20 entries unless 1 to 50 are asked for, the latest first', async () => {
    for (let count = 0; count < 25; count += 1) await shell().as(admin.token).put('/api/auth/me/preferences').send({ count }).expect(200);
    const { body, headers } = await shell().as(admin.token).get('/api/admin/audit').expect(200);
    expect(body.data).toHaveLength(20);
    expect(body.pagination).toMatchObject({ page: 1, limit: 20 });
    expect(Number(headers['x-total-count'])).toBe(body.pagination.total);
    const times = body.data.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await shell().as(admin.token).get('/api/admin/audit?limit=3&page=2').expect(200)).body.data.map(({ id }: { id: string }) => id)).toEqual(body.data.slice(3, 6).map(({ id }: { id: string }) => id));
    expect((await shell().as(admin.token).get('/api/admin/audit?limit=50').expect(200)).body.data.length).toBeGreaterThan(24);
    for (const limit of ['0', '51', '-1', '1.5', 'x']) await shell().as(admin.token).get(`/api/admin/audit?limit=${limit}`).expect(400);
  });

  it('filters by actor, action, outcome, target and time', async () => {
    const id = await addUser();
    const list = async (filter: object): Promise<{ action: string }[]> => (await shell().as(admin.token).get('/api/admin/audit').query({ filter: JSON.stringify(filter) }).expect(200)).body.data;
    expect(await list({ targetType: 'user', targetId: id })).toMatchObject([{ action: 'users.create' }]);
    expect(await list({ actorId: admin.id, action: 'users.create', targetId: id })).toHaveLength(1);
    expect(await list({ targetId: id, outcome: 'refused' })).toEqual([]);
    expect(await list({ targetId: id, at: { gte: new Date(Date.now() + 60_000).toISOString() } })).toEqual([]);
    expect(await list({ targetId: id, at: { gte: new Date(Date.now() - 600_000).toISOString(), lt: new Date(Date.now() + 60_000).toISOString() } })).toHaveLength(1);
  });

  it.each(['{"hash":"x"}', '{"before":{"contains":"a"}}', '{"action":{"$ne":"x"}}', '{"action":{"or":["x"]}}', '{"organizationId":"x\' or true --"}', '{"at":"yesterday"}', '{"outcome":"any"}', '[]', '{"chainId":"ffffffff-ffff-ffff-ffff-ffffffffffff"}', '{"__proto__":{"action":"x"}}'])('refuses the filter %s', async (filter) => {
    await shell().as(admin.token).get('/api/admin/audit').query({ filter }).expect(400);
  });

  it.each(['post', 'put', 'delete'] as const)('is all that can be done with it: %s is refused', async (method) => {
    await shell().as(platform.token)[method]('/api/admin/audit').send(method === 'delete' ? undefined : {}).expect(405);
  });
});
