import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { addressOf, describeAnonymous, describeForeign, named, type ForeignCall, type Operation } from '@satellite/kit/testing';
import { ORGANIZATION_ADMIN_PERMISSIONS, SHELL_PERMISSIONS } from '../src/permissions.js';
import { operations } from './support/operations.js';
import { personIn, roleIn, tokenOf, type Person } from './support/people.js';
import { useShell } from './support/shell.js';

const shell = useShell();
const send = (operation: Operation, token: string | undefined, address: string, body: object = {}): Test => {
  const request = shell().as(token)[operation.method](address);
  return operation.method === 'post' || operation.method === 'put' ? request.send(body) : request;
};

/** The only operations that anybody may call, and why. Everything else asks for a token. */
const PUBLIC = new Map([
  ['GET /auth/providers', 'before sign-in'], ['GET /auth/login', 'sign-in'], ['GET /auth/callback', 'sign-in'], ['POST /auth/local-login', 'sign-in'], ['POST /auth/register', 'before there is an account'],
  ['POST /auth/request-password-reset', 'without the password'], ['POST /auth/confirm-password-reset', 'the link is the proof'], ['POST /auth/refresh', 'the refresh token is the proof'],
  ['POST /auth/exchange-idp', 'the provider\'s token is the proof'], ['POST /auth/service-token', 'the client secret is the proof'], ['GET /.well-known/jwks.json', 'public keys'],
  ['GET /config/apps', 'the launchpad'], ['GET /config/plans', 'the pricing page'], ['GET /plans', 'those on offer'], ['GET /plans/{id}', 'those on offer'], ['POST /onboarding', 'before there is an account'], ['POST /subscriptions/webhook', 'the signature is the proof'],
  ['GET /health', 'for probes'], ['GET /doc/openapi.json', 'for developers'], ['GET /doc/explorer', 'for developers'],
]);

/** The only operations that every signed-in person may call: all of them act on the caller alone, or on the quota of the caller's organization. */
const OWN_ACCOUNT = new Set([
  'GET /auth/me', 'PUT /auth/me/preferences', 'POST /auth/change-password', 'GET /auth/sessions', 'DELETE /auth/sessions/{id}', 'GET /auth/logout', 'POST /auth/logout',
  'POST /auth/exchange', 'POST /auth/exchange-for-service',
  'GET /subscriptions/current', 'GET /subscriptions/usage', 'POST /subscriptions/check-limit', 'POST /subscriptions/consume',
]);

/** Permissions as sections 4.4 to 4.9 of the interface have them: written by hand, since the generated description only says what the code does. */
const INTERFACE: Readonly<Record<string, string>> = {
  'GET /users': 'users:list', 'POST /users': 'users:write', 'GET /users/{id}': 'users:read', 'PUT /users/{id}': 'users:write', 'DELETE /users/{id}': 'users:delete',
  'GET /users/{id}/roles': 'users:read', 'POST /users/{id}/roles': 'users:write', 'DELETE /users/{id}/roles/{roleId}': 'users:write',
  'GET /roles': 'roles:list', 'POST /roles': 'roles:write', 'GET /roles/{id}': 'roles:read', 'PUT /roles/{id}': 'roles:write', 'DELETE /roles/{id}': 'roles:delete',
  'GET /roles/{id}/permissions': 'roles:read', 'POST /roles/{id}/permissions': 'roles:write', 'GET /permissions': 'permissions:list',
  'GET /organizations': 'organizations:list', 'GET /organizations/{id}': 'organizations:read', 'PUT /organizations/{id}': 'organizations:write', 'PUT /organizations/{id}/subscription': 'subscriptions:admin',
  'GET /admin/apps': 'apps:list', 'GET /admin/apps/{id}': 'apps:read', 'POST /admin/apps': 'apps:write', 'POST /admin/apps/register-remote': 'apps:write', 'PUT /admin/apps/{id}': 'apps:write', 'DELETE /admin/apps/{id}': 'apps:delete',
  'POST /plans': 'plans:write', 'PUT /plans/{id}': 'plans:write', 'GET /plans/{id}/limits': 'plans:read', 'PUT /plans/{id}/limits': 'plans:write', 'POST /plans/{id}/sync-stripe': 'plans:write',
  'GET /config': 'infrastructure:read', 'GET /onboarding': 'onboarding:list', 'GET /onboarding/{id}': 'onboarding:read', 'PUT /onboarding/{id}/approve': 'onboarding:approve', 'PUT /onboarding/{id}/reject': 'onboarding:reject',
  'GET /admin/apps/{id}/organizations': 'apps:read', 'PUT /admin/apps/{id}/organizations/{organizationId}': 'apps:write',
  'GET /admin/audit': 'settings:read', 'GET /admin/stats': 'settings:read',
};

/** Where the interface shows two permissions, either will do. */
const EITHER: Readonly<Record<string, string>> = { 'GET /admin/audit': 'users:list' };

/** Section 4.7 asks for a token only; who decides on plan and payment holds what 4.6 asks for. */
const PAYMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ['POST /subscriptions/upgrade', 'POST /subscriptions/upgrade-direct', 'GET /subscriptions/portal', 'POST /subscriptions/payment-methods/setup', 'GET /subscriptions/payment-methods', 'DELETE /subscriptions/payment-methods/{paymentMethodId}', 'PUT /subscriptions/payment-methods/{paymentMethodId}/default'].map((name) => [name, 'subscriptions:admin']),
);

/** Operations that the interface does not have, beside its own. */
const BESIDE: Readonly<Record<string, string>> = {
  'GET /admin/payment-events': 'payment-events:list', 'POST /admin/payment-events/{id}/replay': 'payment-events:replay',
  'GET /admin/apps/{id}/clients': 'apps:read', 'POST /admin/apps/{id}/clients': 'apps:write', 'POST /admin/apps/{id}/clients/{clientId}/rotate': 'apps:write',
  'DELETE /admin/apps/{id}/clients/{clientId}/previous-secret': 'apps:write', 'DELETE /admin/apps/{id}/clients/{clientId}': 'apps:write',
};

/** Operations for services alone. */
const FOR_SERVICES = new Set(['GET /auth/revocations']);

describe('what an operation asks for', () => {
  it('is the permission that the interface says', () => {
    const actual = Object.fromEntries(operations.filter(({ permissions }) => permissions.length > 0).map(({ name, permissions }) => [name, permissions.join()]));
    expect(actual).toEqual({ ...INTERFACE, ...PAYMENT, ...BESIDE });
    expect(Object.fromEntries(operations.filter(({ alternatives }) => alternatives.length > 0).map(({ name, alternatives }) => [name, alternatives.join()]))).toEqual(EITHER);
  });

  it('is more than a token, but for the caller\'s own account', () => {
    expect(operations.filter(({ name, isPublic, isOptional, isForServices, permissions }) => !isPublic && !isOptional && !isForServices && permissions.length === 0 && !OWN_ACCOUNT.has(name)).map(({ name }) => name)).toEqual([]);
  });
});

describeAnonymous(operations, PUBLIC, send);

describe('with or without a token', () => {
  it.each(named(operations.filter(({ isOptional }) => isOptional)))('%s answers, but never to a bad token', async (_name, operation) => {
    const { status } = await send(operation, undefined, addressOf(operation)); // 400 where the empty body is not enough
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
    await send(operation, 'not.a.token', addressOf(operation)).expect(401);
  });
});

describe('with a token', () => {
  let organizationId: string;
  const members = new Map<string, Promise<Person>>();
  /** People with equal permissions are one person. */
  const member = (permissions: readonly string[]): Promise<Person> => {
    const key = permissions.join();
    const known = members.get(key) ?? personIn(shell(), organizationId, { permissions });
    members.set(key, known);
    return known;
  };
  beforeAll(async () => {
    organizationId = (await shell().organization()).id;
  });
  const guarded = operations.filter(({ permissions }) => permissions.length > 0);

  it('there is something to guard', () => {
    expect(guarded.length).toBeGreaterThan(25);
  });

  it.each(named(guarded))('%s answers 403 to who holds everything but its permission', async (_name, operation) => {
    for (const permission of operation.permissions) {
      const { token } = await member(SHELL_PERMISSIONS.filter((code) => code !== permission && !operation.alternatives.includes(code)));
      const { error } = (await send(operation, token, addressOf(operation)).expect(403)).body;
      expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'auth.permission_denied', permission } });
    }
  });

  it.each(named(guarded))('%s needs nothing else', async (_name, operation) => {
    for (const permissions of [operation.permissions, ...operation.alternatives.map((code) => [code])]) {
      const { status } = await send(operation, (await member(permissions)).token, addressOf(operation));
      expect([401, 403]).not.toContain(status);
      expect(status).toBeLessThan(500);
    }
  });

  it.each(named(operations.filter(({ isPublic, isOptional, isForServices, permissions }) => !isPublic && !isOptional && !isForServices && permissions.length === 0)))('%s is for everybody who is signed in', async (_name, operation) => {
    const { id } = await member([]);
    const { status } = await send(operation, await tokenOf(shell(), id, organizationId), addressOf(operation)); // it may end the session
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
  });
});

describe('with a token of a person', () => {
  it('the operations for services are the listed ones', () => {
    expect(operations.filter(({ isForServices }) => isForServices).map(({ name }) => name)).toEqual([...FOR_SERVICES]);
  });

  it.each(named(operations.filter(({ isForServices }) => isForServices)))('%s answers 401, whatever the person holds', async (_name, operation) => {
    const { token } = await personIn(shell(), (await shell().organization()).id, { systemRole: 'SUPER_ADMIN' });
    const { body } = await shell().as(token).post('/api/auth/exchange').send({ service: 'shell-rbac' }).expect(200);
    for (const bearer of [token, body.data.accessToken]) await send(operation, bearer, addressOf(operation)).expect(401);
  });
});

/** What organization A has; B must not learn of it, nor touch it. */
interface Belongings {
  readonly organizationId: string;
  readonly userId: string;
  readonly roleId: string;
  readonly sessionId: string;
  readonly paymentMethodId: string;
}

type Foreign = (a: Belongings) => ForeignCall;

/** Every operation with a path parameter that an organization owns. */
const OWNED: Readonly<Record<string, Foreign>> = {
  'GET /users/{id}': (a) => ({ values: { id: a.userId } }),
  'PUT /users/{id}': (a) => ({ values: { id: a.userId }, body: { firstName: 'Mallory', status: 'suspended' } }),
  'DELETE /users/{id}': (a) => ({ values: { id: a.userId } }),
  'GET /users/{id}/roles': (a) => ({ values: { id: a.userId } }),
  'POST /users/{id}/roles': (a) => ({ values: { id: a.userId }, body: { roleIds: [a.roleId] } }),
  'DELETE /users/{id}/roles/{roleId}': (a) => ({ values: { id: a.userId, roleId: a.roleId } }),
  'GET /roles/{id}': (a) => ({ values: { id: a.roleId } }),
  'PUT /roles/{id}': (a) => ({ values: { id: a.roleId }, body: { name: 'Mine now', permissions: [] } }),
  'DELETE /roles/{id}': (a) => ({ values: { id: a.roleId } }),
  'GET /roles/{id}/permissions': (a) => ({ values: { id: a.roleId } }),
  'POST /roles/{id}/permissions': (a) => ({ values: { id: a.roleId }, body: { permissions: [] } }),
  'GET /organizations/{id}': (a) => ({ values: { id: a.organizationId } }),
  'PUT /organizations/{id}': (a) => ({ values: { id: a.organizationId }, body: { name: 'Mine now' } }),
  'PUT /organizations/{id}/subscription': (a) => ({ values: { id: a.organizationId }, body: { planCode: 'ENTERPRISE' } }),
  'DELETE /auth/sessions/{id}': (a) => ({ values: { id: a.sessionId } }),
  'DELETE /subscriptions/payment-methods/{paymentMethodId}': (a) => ({ values: { paymentMethodId: a.paymentMethodId } }),
  'PUT /subscriptions/payment-methods/{paymentMethodId}/default': (a) => ({ values: { paymentMethodId: a.paymentMethodId } }),
};

/** Operations with path parameters that no organization owns; no administrator of an organization can hold their permission. */
const PLATFORM_OWNED: Readonly<Record<string, string>> = {
  'GET /admin/apps/{id}': 'the registry is the platform\'s',
  'PUT /admin/apps/{id}': 'the registry is the platform\'s',
  'DELETE /admin/apps/{id}': 'the registry is the platform\'s',
  'GET /admin/apps/{id}/organizations': 'the registry is the platform\'s',
  'PUT /admin/apps/{id}/organizations/{organizationId}': 'the registry is the platform\'s',
  ...Object.fromEntries(Object.keys(BESIDE).filter((name) => name.includes('{')).map((name) => [name, 'credentials of apps and events of the processor are the platform\'s'])),
  'PUT /plans/{id}': 'plans are the platform\'s',
  'PUT /plans/{id}/limits': 'plans are the platform\'s',
  'POST /plans/{id}/sync-stripe': 'plans are the platform\'s',
  'GET /onboarding/{id}': 'of people without an organization', 'PUT /onboarding/{id}/approve': 'of people without an organization', 'PUT /onboarding/{id}/reject': 'of people without an organization',
};

/** Operations with path parameters that show every organization the same. */
const SHARED: Readonly<Record<string, string>> = {
  'GET /plans/{id}': 'the price list',
  'GET /plans/{id}/limits': 'the price list',
};

/** A card that the person's organization has saved; answers its id. */
async function savedCard(person: Person): Promise<string> {
  const { clientSecret } = (await shell().as(person.token).post('/api/subscriptions/payment-methods/setup').send({}).expect(200)).body.data;
  await fetch(`${shell().url}/api/local-payment/setup/${clientSecret}`, { method: 'POST', body: new URLSearchParams({ card: 'visa' }) });
  return (await shell().as(person.token).get('/api/subscriptions/payment-methods').expect(200)).body.data[0].id;
}

describe('between organizations', () => {
  let a: Belongings;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    const organizationId = (await shell().organization()).id;
    alice = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
    const roleId = await roleIn(shell(), organizationId, ['users:list']);
    const victim = await personIn(shell(), organizationId);
    await shell().query('insert into user_roles (user_id, role_id, granted_at) values (?, ?, now())', [victim.id, roleId]);
    const [session] = await shell().query<{ id: string }>('select id from sessions where user_id = ?', [victim.id]);
    a = { organizationId, userId: victim.id, roleId, sessionId: session?.id ?? '', paymentMethodId: await savedCard(alice) };
    bob = await personIn(shell(), (await shell().organization()).id, { permissions: ORGANIZATION_ADMIN_PERMISSIONS, systemRole: 'ADMIN' });
    await savedCard(bob); // known at the processor, so that a foreign card is not refused for want of a customer
  });

  /** A's rows as text, to see that nothing moved. */
  const rowsOfA = async (): Promise<string> => {
    const parts = ['select * from organizations where id = ?', 'select * from users where organization_id = ? order by id', 'select * from roles where organization_id = ? order by id', 'select * from sessions where organization_id = ? and user_id = any(?::uuid[]) order by id',
      'select p.* from role_permissions p join roles r on r.id = p.role_id where r.organization_id = ? order by 1, 2', 'select g.* from user_roles g join users u on u.id = g.user_id where u.organization_id = ? order by 1, 2'];
    const rows = await Promise.all(parts.map((sql) => shell().query(sql, sql.includes('any(') ? [a.organizationId, [a.userId]] : [a.organizationId])));
    return JSON.stringify(rows);
  };
  /** Says in headers that A is meant; none of them may count. As a query parameter it is refused (apps.test.ts). */
  const posing = (request: Test): Test => request.set('x-org-id', a.organizationId).set('x-organization-id', a.organizationId).set('x-tenant-id', a.organizationId);

  describeForeign(operations, { belongings: () => a, owned: OWNED, others: { ...PLATFORM_OWNED, ...SHARED }, stranger: () => bob.token, snapshot: rowsOfA }, (operation, token, address, body) => posing(send(operation, token, address, body)));

  it.each(named(operations.filter(({ name }) => name in PLATFORM_OWNED)))('%s is out of reach for administrators of organizations', async (_name, operation) => {
    expect(operation.permissions.some((code) => !(ORGANIZATION_ADMIN_PERMISSIONS as readonly string[]).includes(code))).toBe(true);
    await posing(send(operation, bob.token, addressOf(operation, { organizationId: a.organizationId }))).expect(403);
  });

  const lists = operations.filter(({ method, parameters, isPublic }) => method === 'get' && parameters.length === 0 && !isPublic);

  /** Refusals in the audit trail repeat the ids that the person has sent. */
  const filterOf = ({ name }: Operation): { filter?: string } => (name === 'GET /admin/audit' ? { filter: '{"outcome":"success"}' } : {});

  /** Everything that the list shows this person, page by page: what is on page two is shown as well. */
  const wholeListOf = async (operation: Operation, person: Person): Promise<string> => {
    let whole = '';
    for (let page = 1, more = true; more; page += 1) {
      const token = await tokenOf(shell(), person.id, person.organizationId); // logging out is a GET too
      const { status, text, body } = await posing(send(operation, token, addressOf(operation)).query(operation.isPaged ? { page, limit: 50, ...filterOf(operation) } : {}));
      expect(status).toBeLessThan(500);
      if (operation.isPaged) expect([200, 403]).toContain(status);
      whole += text;
      more = (body.pagination?.total ?? 0) > page * 50;
    }
    return whole;
  };

  it.each(named(lists))('%s shows nothing of others', async (_name, operation) => {
    const shown = await wholeListOf(operation, bob);
    for (const secret of [...Object.values(a), alice.id]) expect(shown).not.toContain(secret);
  });

  it('the search for A\'s rows in lists finds them where they belong', async () => {
    const found: string[] = [];
    for (const operation of lists) {
      const shown = await wholeListOf(operation, alice);
      if ([...Object.values(a), alice.id].some((secret) => shown.includes(secret))) found.push(operation.name);
    }
    expect(found).toEqual(expect.arrayContaining(['GET /users', 'GET /roles', 'GET /auth/me']));
  });

  it('a role of A cannot be given to or taken from people of B', async () => {
    for (const method of ['post', 'delete'] as const) {
      const address = method === 'post' ? `/api/users/${bob.id}/roles` : `/api/users/${bob.id}/roles/${a.roleId}`;
      await shell().as(bob.token)[method](address).send(method === 'post' ? { roleIds: [a.roleId] } : undefined).expect(404);
    }
    await shell().as(bob.token).post('/api/users').send({ email: `${randomUUID()}@example.org`, username: `u${randomUUID().slice(0, 8)}`, firstName: 'Ann', lastName: 'Example', roleIds: [a.roleId] }).expect(404);
  });
});
