import { randomUUID } from 'node:crypto';
import { call, registeredApp, serviceClient, type RegisteredApp } from './support/gateway.js';
import { personIn, type Person } from './support/people.js';
import { useShell } from './support/shell.js';
import { eventually } from '@satellite/kit/testing';

const shell = useShell();
let admin: string;
let app: RegisteredApp;
let ann: Person;
beforeAll(async () => {
  const org = await shell().organization();
  admin = await org.member(['apps:read', 'apps:write']);
  app = await registeredApp(shell());
  ann = await personIn(shell(), org.id, { permissions: [app.codes[0]] });
});

interface Credentials { clientId: string; clientSecret: string }
const clients = (id = app.id) => `/api/admin/apps/${id}/clients`;
const created = async (id = app.id): Promise<Credentials> => (await shell().as(admin).post(clients(id)).expect(201)).body.data;
const tokenFor = (credentials: Credentials) => shell().as().post('/api/auth/service-token').send(credentials);
const ask = (token: string) => call(shell(), 'CheckPermission', token, { sub: ann.id, act: 'read', obj: `${app.slug}.files` });

describe('clients of an app', () => {
  it('are made with a secret that is shown once and stored hashed, and may call the gateway at once', async () => {
    const credentials = await created();
    expect(credentials).toEqual({ clientId: expect.stringMatching(new RegExp(`^${app.slug}-[0-9a-f]{12}$`)), clientSecret: expect.stringMatching(/^[\w-]{43}$/) });
    const { text } = await shell().as(admin).get(clients()).expect(200);
    expect(text).toContain(credentials.clientId);
    const rows = JSON.stringify(await shell().query('select * from service_clients where client_id = ?', [credentials.clientId]));
    for (const stored of [text, rows]) expect(stored).not.toContain(credentials.clientSecret);
    const { body } = await tokenFor(credentials).expect(200);
    await eventually(async () => (await ask(body.data.accessToken)).json['allowed'] === true, 1000, 'the new client known');
  });

  it('have two live secrets while they change over', async () => {
    const first = await created();
    const rotate = async (): Promise<Credentials> => (await shell().as(admin).post(`${clients()}/${first.clientId}/rotate`).expect(200)).body.data;
    const second = await rotate();
    expect(second.clientId).toBe(first.clientId);
    expect(second.clientSecret).not.toBe(first.clientSecret);
    for (const credentials of [first, second]) await tokenFor(credentials).expect(200);
    const third = await rotate();
    await tokenFor(first).expect(401);
    for (const credentials of [second, third]) await tokenFor(credentials).expect(200);
    await shell().as(admin).delete(`${clients()}/${first.clientId}/previous-secret`).expect(204);
    await tokenFor(second).expect(401);
    await tokenFor(third).expect(200);
    expect((await shell().as(admin).get(clients()).expect(200)).body.data).toContainEqual({ clientId: first.clientId, createdAt: expect.any(String), rotatedAt: expect.any(String), hasPreviousSecret: false });
  });

  it('are revoked with their secrets at once and with their tokens within a second, in every process', async () => {
    const other = await shell().second();
    const credentials = await created();
    const { accessToken } = (await tokenFor(credentials).expect(200)).body.data;
    await eventually(async () => (await ask(accessToken)).status === 200, 1000);
    await shell().as(admin).delete(`${clients()}/${credentials.clientId}`).expect(204);
    await tokenFor(credentials).expect(401);
    const refused = async (process: typeof other): Promise<boolean> => (await call(process, 'CheckPermission', accessToken, { sub: ann.id, act: 'read', obj: `${app.slug}.files` })).status === 401;
    await Promise.all([shell(), other].map((process) => eventually(() => refused(process), 1000, 'the client out')));
    await shell().as(admin).post(`${clients()}/${credentials.clientId}/rotate`).expect(404);
    await shell().as(admin).delete(`${clients()}/${credentials.clientId}`).expect(404);
    await other.stop();
  });

  it('are out within a second when their row is disabled by hand', async () => {
    const { clientId, token } = await serviceClient(shell(), { appSlug: app.slug });
    expect((await ask(token)).status).toBe(200);
    await shell().query(`update service_clients set status = 'disabled' where client_id = ?`, [clientId]);
    await eventually(async () => (await ask(token)).status === 401, 1000, 'the client out');
  });

  it('are reached through their own app only', async () => {
    const other = await registeredApp(shell());
    const { clientId } = await created();
    for (const [verb, path] of [['post', 'rotate'], ['delete', 'previous-secret']] as const) await shell().as(admin)[verb](`${clients(other.id)}/${clientId}/${path}`).expect(404);
    await shell().as(admin).delete(`${clients(other.id)}/${clientId}`).expect(404);
    expect((await shell().as(admin).get(clients(other.id)).expect(200)).body.data).toEqual([]);
    await shell().as(admin).delete(`${clients()}/operator`).expect(404);
    for (const id of [randomUUID()]) await shell().as(admin).post(clients(id)).expect(404);
    await shell().as(admin).get(clients('x')).expect(400);
    await shell().as(admin).post(`${clients()}/NOT%20ONE/rotate`).expect(400);
  });

  it('open nothing while their app is out of the registry, and again when it is back', async () => {
    const gone = await registeredApp(shell());
    const { token } = await serviceClient(shell(), { appSlug: gone.slug });
    const person = await personIn(shell(), ann.organizationId, { permissions: [gone.codes[0]] });
    const asks = () => call(shell(), 'CheckPermission', token, { sub: person.id, act: 'read', obj: `${gone.slug}.files` });
    expect((await asks()).json['allowed']).toBe(true);
    await shell().query('delete from apps where id = ?', [gone.id]);
    await eventually(async () => (await asks()).json['reason'] === 'app_not_enabled', 1000, 'the app gone');
    expect((await call(shell(), 'GetUserPermissions', token, { sub: person.id })).json).toMatchObject({ permissions: [] });
    expect((await call(shell(), 'CheckPermission', token, { sub: person.id, act: 'list', obj: 'users' })).status).toBe(403);
  });

  it('are at most twenty, however many ask at once', async () => {
    const { id } = await registeredApp(shell());
    const answers = await Promise.all(Array.from({ length: 25 }, () => shell().as(admin).post(clients(id))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
  });
});
