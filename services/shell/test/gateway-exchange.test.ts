import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { call, exchanged, registeredApp, serviceClient, type RegisteredApp } from './support/gateway.js';
import { CLIENT, IdentityProvider, ISSUER } from './support/identity-provider.js';
import { personIn, tokenOf, type Person } from './support/people.js';
import { useShell } from './support/shell.js';

let provider: IdentityProvider;
const shell = useShell(async () => {
  provider = await IdentityProvider.start();
  return { APP_ENV_IDP_URL: ISSUER, APP_ENV_IDP_INTERNAL_URL: provider.internalUrl, APP_ENV_IDP_CLIENT_ID: CLIENT.clientId, APP_ENV_IDP_CLIENT_SECRET: CLIENT.clientSecret };
});
afterAll(() => provider.stop());

const exchange = (token: string | undefined, body: object) => call(shell(), 'ExchangeForService', token, body);
let organizationId: string;
let drive: RegisteredApp;
let assistant: RegisteredApp;
let client: { clientId: string; token: string };
let ann: Person;
beforeAll(async () => {
  organizationId = (await shell().organization()).id;
  [drive, assistant] = [await registeredApp(shell()), await registeredApp(shell())];
  ann = await personIn(shell(), organizationId, { permissions: [drive.codes[0], assistant.codes[0], 'users:list'] });
  client = await serviceClient(shell(), { appSlug: assistant.slug });
});
/** Ann's token for the assistant. */
const subjectToken = async (session = ann.token): Promise<string> => exchanged(shell(), session, assistant.slug);

describe('a person\'s token for the caller\'s app', () => {
  it('becomes one for another app: the person\'s rights there, not longer, and who acts', async () => {
    const parent = await subjectToken();
    const { status, json } = await exchange(client.token, { subjectToken: parent, serviceId: drive.slug });
    expect(status).toBe(200);
    expect(json).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: expect.any(Number), service: drive.slug });
    const [before, after] = [decodeJwt(parent), decodeJwt(String(json['accessToken']))];
    expect(after).toMatchObject({ sub: ann.id, organizationId, aud: drive.slug, sid: before['sid'], permissions: [drive.codes[0]], act: { sub: `client:${client.clientId}` } });
    expect(after.exp).toBeLessThanOrEqual(before.exp ?? 0);
    expect(after.jti).not.toBe(before.jti);
  });

  it('keeps everybody who acted before', async () => {
    const { json } = await exchange(client.token, { subjectToken: await subjectToken(), serviceId: drive.slug });
    const ofDrive = await serviceClient(shell(), { appSlug: drive.slug });
    const { json: again } = await exchange(ofDrive.token, { subjectToken: json['accessToken'], serviceId: assistant.slug });
    expect(decodeJwt(String(again['accessToken']))['act']).toEqual({ sub: `client:${ofDrive.clientId}`, act: { sub: `client:${client.clientId}` } });
  });

  it.each<[string, () => Promise<string>]>([
    ['for the Shell', async () => ann.token],
    ['for another app', () => exchanged(shell(), ann.token, drive.slug)],
    ['for the gateway', () => exchanged(shell(), ann.token, 'shell-rbac')],
    ['that is a service\'s', async () => client.token],
    ['that is none', async () => 'not.a.token'],
    ['that is endless', async () => 'x'.repeat(20_000)],
    ['whose session ended', async () => {
      const session = await tokenOf(shell(), ann.id, organizationId);
      const token = await subjectToken(session);
      await shell().as(session).post('/api/auth/logout').expect(200);
      return token;
    }],
  ])('is not one %s', async (_what, make) => {
    expect(await exchange(client.token, { subjectToken: await make(), serviceId: drive.slug })).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });

  it('may be used by the app\'s own clients only', async () => {
    const parent = await subjectToken();
    const person = await exchanged(shell(), ann.token, 'shell-rbac');
    for (const token of [(await serviceClient(shell(), { permissions: ['rbac:read'] })).token, person]) {
      expect(await exchange(token, { subjectToken: parent, serviceId: drive.slug })).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    }
    expect(await exchange((await serviceClient(shell(), { appSlug: drive.slug })).token, { subjectToken: parent, serviceId: drive.slug })).toMatchObject({ status: 401 });
    for (const token of [undefined, ann.token]) expect(await exchange(token, { subjectToken: parent, serviceId: drive.slug })).toMatchObject({ status: 401 });
  });

  it('opens no unknown app, and not the gateway', async () => {
    const parent = await subjectToken();
    for (const serviceId of ['nobody', randomUUID(), 'shell-rbac', 'a\0b']) expect(await exchange(client.token, { subjectToken: parent, serviceId })).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
  });

  it('opens nothing where either app is switched off', async () => {
    const admin = await (await shell().organization()).member(['apps:write']);
    const own = await registeredApp(shell());
    const [caller, token] = [await serviceClient(shell(), { appSlug: own.slug }), await exchanged(shell(), ann.token, own.slug)];
    const target = await registeredApp(shell());
    const turn = (app: RegisteredApp, enabled: boolean) => shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${organizationId}`).send({ enabled }).expect(200);
    await turn(target, false);
    expect(await exchange(caller.token, { subjectToken: token, serviceId: target.slug })).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    await turn(target, true);
    await turn(own, false);
    expect(await exchange(caller.token, { subjectToken: token, serviceId: target.slug })).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
  });
});

describe('a request', () => {
  it.each<[string, object]>([
    ['without a token', { serviceId: 'x' }], ['with both', { idpToken: 'a', subjectToken: 'b', serviceId: 'x' }], ['without a service', { subjectToken: 'a' }], ['with a long service', { subjectToken: 'a', serviceId: 'x'.repeat(65) }], ['with a number', { subjectToken: 7, serviceId: 'x' }],
  ])('%s is refused', async (_what, body) => {
    expect(await exchange(client.token, body)).toMatchObject({ status: 400, json: { code: 'invalid_argument' } });
  });
});

describe('a provider\'s token', () => {
  let idToken: string;
  let carl: { id: string; organizationId: string; token: string };
  beforeAll(async () => {
    const person = await personIn(shell(), organizationId, { permissions: [drive.codes[0]] });
    const account = { sub: `carl-${randomUUID().slice(0, 8)}` };
    await shell().query('insert into identities (id, user_id, provider_id, issuer, subject, created_at) values (?, ?, ?, ?, ?, now())', [randomUUID(), person.id, 'default', ISSUER, account.sub]);
    carl = person;
    idToken = await provider.idToken(account);
  });

  it('becomes a token for an app, for services and for the person, on both ways', async () => {
    const service = await exchange((await serviceClient(shell())).token, { idpToken: idToken, serviceId: drive.slug });
    expect(service.json).toMatchObject({ tokenType: 'Bearer', service: drive.slug });
    expect(decodeJwt(String(service.json['accessToken']))).toMatchObject({ sub: carl.id, aud: drive.slug, act: { sub: expect.stringMatching(/^client:/) } });
    const person = await exchange(await exchanged(shell(), carl.token, 'shell-rbac'), { idpToken: idToken, serviceId: drive.slug });
    expect(decodeJwt(String(person.json['accessToken']))).not.toHaveProperty('act');
    const { body } = await shell().as(carl.token).post('/api/auth/exchange-for-service').send({ idpToken: idToken, serviceId: drive.slug }).expect(200);
    expect(body.data).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: expect.any(Number), service: drive.slug });
  });

  it('is of the person who asks, or refused alike', async () => {
    expect(await exchange(await exchanged(shell(), ann.token, 'shell-rbac'), { idpToken: idToken, serviceId: drive.slug })).toMatchObject({ status: 401 });
    await shell().as(ann.token).post('/api/auth/exchange-for-service').send({ idpToken: idToken, serviceId: drive.slug }).expect(401);
    for (const idpToken of ['not.a.token', carl.token, client.token]) expect(await exchange(client.token, { idpToken, serviceId: drive.slug })).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });
});
