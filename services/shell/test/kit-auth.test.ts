import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { actorOf, createPermissionClient, createRevocationFeed, createServiceTokenClient, createTokenVerifier, NO_PERMISSION, requireActor, type Actor, type GuardOptions, type PermissionClient, type RevocationFeed } from '@satellite/kit/auth';
import { errorHandler, requestContext } from '@satellite/kit/http';
import { createLogger } from '@satellite/kit/telemetry';
import { eventually } from '@satellite/kit/testing';
import { exchanged, registeredApp, type RegisteredApp } from './support/gateway.js';
import { personIn, roleIn, tokenOf, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
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
    satellite.post('/files/:size', guard(NO_PERMISSION), (req, res, next) => {
      upload(permissions, app, actorOf(req), { size: Number(req.params['size']), key: String(req.query['key']), fails: req.query['fails'] === 'true' }).then(({ status, body }) => void res.status(status).json(body), next);
    });
    satellite.delete('/files/:size', guard(NO_PERMISSION), (req, res, next) => {
      const { organizationId } = actorOf(req);
      permissions.release({ organizationId, limitKey: bytesOf(app), amount: Number(req.params['size']), idempotencyKey: String(req.query['key']) }).then((released) => void res.json(released), next);
    });
    satellite.get('/forgotten', (req, res) => void res.json(actorOf(req)));
    satellite.use(errorHandler({ envelope: 'B', logger }));
    await revocations.start();
    const server = createServer(satellite);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Satellite(server, revocations);
  }

  get(path: string, token?: string, method: 'get' | 'post' | 'delete' = 'get'): request.Test {
    const sent = request(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`)[method](path);
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

const bytesOf = ({ slug }: RegisteredApp): string => `${slug}.storage_bytes`;

/** What a satellite does that stores things: asks and counts in one call, works, and takes the count back when the work failed. */
async function upload(permissions: PermissionClient, app: RegisteredApp, { userId, organizationId }: Actor, { size, key, fails }: { size: number; key: string; fails: boolean }): Promise<{ status: number; body: object }> {
  const { allowed, reason, quota } = await permissions.authorize({ sub: userId, act: 'write', obj: `${app.slug}.files`, limitKey: bytesOf(app), amount: size, idempotencyKey: key });
  if (!allowed) return { status: reason === 'quota_exceeded' ? 429 : 403, body: { reason, quota } };
  if (!fails) return { status: 201, body: { quota } };
  return { status: 500, body: { canceled: await permissions.cancel({ organizationId, idempotencyKey: key }) } };
}

const shell = useShell();
let app: RegisteredApp;
let satellite: Satellite;
let organizationId: string;
let owner: Person;
beforeAll(async () => {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  app = await registeredApp(shell(), { slug, limitKeys: [{ key: `${slug}.storage_bytes` }] });
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

  it('counts what its people use of the plan, with the permission and not past the limit, and gives back what failed or is gone', async () => {
    const planned = await organizationOn(shell(), await planWith(shell(), { limits: [{ limitKey: bytesOf(app), limitValue: 100, period: 'total' }] }));
    const [writer, reader] = [await personIn(shell(), planned, { permissions: [app.codes[1]] }), await personIn(shell(), planned, { permissions: [app.codes[0]] })];
    const [writes, reads] = [await exchanged(shell(), writer.token, app.slug), await exchanged(shell(), reader.token, app.slug)];
    const put = (token: string, size: number, query = '') => satellite.get(`/files/${size}?key=${randomUUID()}${query}`, token, 'post');
    expect((await put(reads, 10).expect(403)).body).toEqual({ reason: 'not_granted' });
    expect((await put(writes, 60).expect(201)).body.quota).toEqual({ limitKey: bytesOf(app), limit: 100, used: 60, remaining: 40, resetsAt: '' });
    expect((await put(writes, 41).expect(429)).body).toMatchObject({ reason: 'quota_exceeded', quota: { used: 60, remaining: 40 } });
    expect((await put(writes, 40, '&fails=true').expect(500)).body).toEqual({ canceled: true });
    expect((await put(writes, 40).expect(201)).body.quota).toMatchObject({ used: 100 });
    const gone = `/files/60?key=${randomUUID()}`;
    for (const replayed of [false, true]) expect((await satellite.get(gone, writes, 'delete').expect(200)).body).toMatchObject({ quota: { used: 40 }, replayed });
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
