import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { actorOf, createPermissionClient, createRevocationFeed, createServiceTokenClient, createTokenVerifier, NO_PERMISSION, requireActor, type GuardOptions, type RevocationFeed } from '@satellite/kit/auth';
import { errorHandler, requestContext } from '@satellite/kit/http';
import { createLogger } from '@satellite/kit/telemetry';
import { eventually } from '@satellite/kit/testing';
import { exchanged, registeredApp, type RegisteredApp } from './support/gateway.js';
import { personIn, roleIn, tokenOf, type Person } from './support/people.js';
import { TestShell, useShell } from './support/shell.js';

const BOUND_MS = 1000;
const logger = createLogger({ service: 'satellite', level: 'silent' });

/** A satellite made of kit/auth alone, as one that we did not write would be. */
class Satellite {
  private constructor(
    private readonly server: Server,
    private readonly feed: RevocationFeed,
  ) {}

  static async of(shell: TestShell, app: RegisteredApp, over: { maxStalenessMs?: number } = {}): Promise<Satellite> {
    const admin = await (await shell.organization()).member(['apps:write']);
    const credentials = (await shell.as(admin).post(`/api/admin/apps/${app.id}/clients`).expect(201)).body.data;
    const tokens = createServiceTokenClient({ tokenUrl: `${shell.url}/api/auth/service-token`, ...credentials });
    const verifier = createTokenVerifier({ issuer: 'http://platform.test', audience: app.slug, jwksUrl: `${shell.url}/api/.well-known/jwks.json`, cooldownMs: 0 });
    const revocations = createRevocationFeed({ url: `${shell.url}/api/auth/revocations`, tokens, ...over });
    const permissions = createPermissionClient({ shellUrl: shell.url, tokens });
    const guard = (permission: GuardOptions['permission']) => requireActor({ verifier, revocations, permissions, permission });
    const satellite = express();
    satellite.use(requestContext());
    satellite.get('/me', guard(NO_PERMISSION), (req, res) => void res.json({ userId: actorOf(req).userId, organizationId: actorOf(req).organizationId }));
    satellite.get('/files', guard(app.codes[0]), (req, res) => void res.json({ sessionId: actorOf(req).sessionId }));
    satellite.get('/forgotten', (req, res) => void res.json(actorOf(req)));
    satellite.use(errorHandler({ envelope: 'B', logger }));
    await revocations.start();
    const server = createServer(satellite);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Satellite(server, revocations);
  }

  get(path: string, token?: string): request.Test {
    const sent = request(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`).get(path);
    return token === undefined ? sent : sent.set('authorization', `Bearer ${token}`);
  }

  async status(path: string, token?: string): Promise<number> {
    return (await this.get(path, token)).status;
  }

  stop(): void {
    this.feed.stop();
    this.server.closeAllConnections();
    this.server.close();
  }
}

const shell = useShell();
let app: RegisteredApp;
let satellite: Satellite;
let organizationId: string;
let owner: Person;
beforeAll(async () => {
  app = await registeredApp(shell());
  satellite = await Satellite.of(shell(), app);
});
afterAll(() => satellite.stop());
beforeEach(async () => {
  organizationId = (await shell().organization()).id;
  owner = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
});
const member = async (): Promise<{ person: Person; token: string }> => {
  const person = await personIn(shell(), organizationId, { permissions: [app.codes[0]] });
  return { person, token: await exchanged(shell(), person.token, app.slug) };
};
const turns = (path: string, token: string, status: number) => eventually(async () => (await satellite.status(path, token)) === status, BOUND_MS, `${path} answering ${status}`);

describe('a satellite', () => {
  it('knows the person of an exchanged token', async () => {
    const { person, token } = await member();
    expect((await satellite.get('/me', token).expect(200)).body).toEqual({ userId: person.id, organizationId });
    await satellite.get('/files', token).expect(200);
  });

  it('asks for the permission, and refuses a route without a guard', async () => {
    const person = await personIn(shell(), organizationId);
    const token = await exchanged(shell(), person.token, app.slug);
    await satellite.get('/me', token).expect(200);
    expect((await satellite.get('/files', token).expect(403)).body.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'auth.permission_denied', permission: app.codes[0] } });
    expect(await satellite.status('/forgotten', token)).toBe(500);
    expect(() => requireActor({ permission: 'files' } as GuardOptions)).toThrow('not a permission code');
  });

  it('refuses nobody\'s, foreign, changed and service tokens alike', async () => {
    const { person, token } = await member();
    const other = await registeredApp(shell());
    const foreign = [person.token, await exchanged(shell(), person.token, other.slug), await exchanged(shell(), person.token, 'shell-rbac'), (await shell().shell.container.tokens.issueForService('operator')).accessToken, `${token.slice(0, -4)}AAAA`, 'x'];
    const bodies = [];
    for (const bearer of [undefined, ...foreign]) bodies.push((await satellite.get('/files', bearer).expect(401)).body.error);
    expect(new Set(bodies.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
  });

  it('lets nobody in any more within a second of their logout in the Shell, and others stay', async () => {
    const [{ person, token }, other] = [await member(), await member()];
    await satellite.get('/files', token).expect(200);
    await shell().as(person.token).post('/api/auth/logout').expect(200);
    await turns('/files', token, 401);
    await satellite.get('/me', token).expect(401);
    await satellite.get('/files', other.token).expect(200);
    const again = await exchanged(shell(), await tokenOf(shell(), person.id, organizationId), app.slug);
    await satellite.get('/files', again).expect(200);
  });

  it('lets a suspended person, and all of a suspended organization, in no more', async () => {
    const [ann, bob] = [await member(), await member()];
    await shell().as(owner.token).put(`/api/users/${ann.person.id}`).send({ status: 'suspended' }).expect(200);
    await turns('/me', ann.token, 401);
    await satellite.get('/me', bob.token).expect(200);
    const platform = await (await shell().organization()).member(['organizations:list', 'organizations:write']);
    await shell().as(platform).put(`/api/organizations/${organizationId}`).send({ status: 'suspended' }).expect(200);
    await turns('/me', bob.token, 401);
    await turns('/files', bob.token, 401);
  });

  it('follows roles: taken away, the permission ends although the token lists it; given, a new token has it', async () => {
    const [person, roleId] = [await personIn(shell(), organizationId), await roleIn(shell(), organizationId, [app.codes[0]])];
    const before = await exchanged(shell(), person.token, app.slug);
    await satellite.get('/files', before).expect(403);
    await shell().as(owner.token).post(`/api/users/${person.id}/roles`).send({ roleIds: [roleId] }).expect(201);
    const after = await exchanged(shell(), person.token, app.slug);
    await turns('/files', after, 200);
    await satellite.get('/files', before).expect(403); // a token is a limit
    await shell().as(owner.token).delete(`/api/users/${person.id}/roles/${roleId}`).expect(204);
    await turns('/files', after, 403);
    await satellite.get('/me', after).expect(200);
  });

  it('follows the app\'s switch: off for the organization, its permissions end', async () => {
    const { token } = await member();
    const admin = await (await shell().organization()).member(['apps:write']);
    await satellite.get('/files', token).expect(200);
    await shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${organizationId}`).send({ enabled: false }).expect(200);
    await eventually(async () => (await satellite.status('/files', token)) === 403, BOUND_MS + 500, 'the app switched off');
  });

  it('follows the Shell\'s keys when they change', async () => {
    const { person, token } = await member();
    await satellite.get('/me', token).expect(200);
    const { keys } = shell().shell.container;
    const kid = keys.signingKey().id;
    await shell().query(`update signing_keys set active_from = active_from - interval '40 days'`);
    await keys.turn(); // publishes the next one
    await shell().query(`update signing_keys set active_from = now() - interval '1 second' where id <> ?`, [kid]);
    const second = await shell().second();
    expect(second.shell.container.keys.signingKey().id).not.toBe(kid);
    const renewed = await exchanged(second, person.token, app.slug);
    await satellite.get('/me', renewed).expect(200);
    await satellite.get('/me', token).expect(200);
    await second.stop();
  });
});

describe('a satellite without the Shell', () => {
  it('answers 503, not yes: at once where it has to ask, and everywhere once it knows too little', async () => {
    const lonely = await TestShell.start();
    const own = await registeredApp(lonely);
    const cut = await Satellite.of(lonely, own, { maxStalenessMs: 1500 });
    try {
      const person = await personIn(lonely, (await lonely.organization()).id, { permissions: [own.codes[0]] });
      const token = await exchanged(lonely, person.token, own.slug);
      await cut.get('/files', token).expect(200);
      await lonely.stop();
      await eventually(async () => (await cut.status('/files', token)) === 503, BOUND_MS, 'the permission unknown');
      await eventually(async () => (await cut.status('/me', token)) === 503, 2000, 'the revocations unknown');
      expect((await cut.get('/me', token)).body.error).toMatchObject({ code: 'UNAVAILABLE' });
      await cut.get('/me', 'not.a.token').expect(401);
    } finally {
      cut.stop();
      await lonely.stop();
    }
  });
});
