import { randomUUID } from 'node:crypto';
import { ADMIN, OPERATOR } from './shell.js';
import type { Stage } from './stage.js';

/** A request that does what its operation is for. */
export interface Mutation {
  readonly token?: string;
  /** Parameters of the path. */
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const name = (): string => `n${randomUUID().slice(0, 8)}`;
const person = (): { email: string; username: string; firstName: string; lastName: string } => ({ email: `${randomUUID()}@example.org`, username: name(), firstName: 'Ann', lastName: 'Example' });

/**
 * Every operation that is not a GET, and those that are and change something all the same: how it succeeds. Wherever a
 * secret can be sent, a marked one is.
 */
export const MUTATIONS: Readonly<Record<string, (stage: Stage) => Promise<Mutation>>> = {
  'POST /auth/register': async (stage) => ({ body: { ...person(), password: stage.secret(), plan: 'HOBBY' } }),
  'POST /auth/local-login': async () => ({ body: { usernameOrEmail: 'admin', password: ADMIN.password } }),
  'POST /auth/service-token': async () => ({ body: OPERATOR }),
  'POST /auth/refresh': async (stage) => ({ body: { refreshToken: (await stage.withPassword()).refreshToken } }),
  'POST /auth/exchange': async (stage) => ({ token: (await stage.owner()).token, body: { service: 'shell-rbac' } }),
  'POST /auth/exchange-idp': async (stage) => ({ body: { idpToken: (await stage.throughProvider()).idToken } }),
  'POST /auth/exchange-for-service': async (stage) => {
    const [{ idToken, token }, { slug }] = [await stage.throughProvider(), await stage.app()];
    return { token, body: { idpToken: idToken, serviceId: slug } };
  },
  'POST /auth/request-password-reset': async (stage) => ({ body: { email: (await stage.owner()).email } }),
  'POST /auth/confirm-password-reset': async (stage) => ({ body: { token: await stage.passwordLink(), newPassword: stage.secret() } }),
  'POST /auth/change-password': async (stage) => {
    const { token, password } = await stage.withPassword();
    return { token, body: { currentPassword: password, newPassword: stage.secret() } };
  },
  'PUT /auth/me/preferences': async (stage) => ({ token: (await stage.owner()).token, body: { theme: stage.secret(), nested: { token: stage.secret() } } }),
  'GET /auth/logout': async (stage) => ({ token: (await stage.owner()).token }),
  'POST /auth/logout': async (stage) => ({ token: (await stage.owner()).token }),
  'DELETE /auth/sessions/{id}': async (stage) => {
    const { id, token } = await stage.owner();
    const [session] = await stage.shell.query<{ id: string }>('select id from sessions where user_id = ?', [id]);
    return { token, values: { id: session?.id ?? '' } };
  },
  'POST /users': async (stage) => ({ token: (await stage.owner()).token, body: { ...person(), password: stage.secret() } }),
  'PUT /users/{id}': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: (await stage.colleagueOf(owner)).id }, body: { firstName: 'Bea', status: 'suspended' } };
  },
  'DELETE /users/{id}': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: (await stage.colleagueOf(owner)).id } };
  },
  'POST /users/{id}/roles': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: (await stage.colleagueOf(owner)).id }, body: { roleIds: [await stage.roleOf(owner)] } };
  },
  'DELETE /users/{id}/roles/{roleId}': async (stage) => {
    const owner = await stage.owner();
    const [{ id }, roleId] = [await stage.colleagueOf(owner), await stage.roleOf(owner)];
    await stage.shell.query('insert into user_roles (user_id, role_id, granted_at) values (?, ?, now())', [id, roleId]);
    return { token: owner.token, values: { id, roleId } };
  },
  'POST /roles': async (stage) => ({ token: (await stage.owner()).token, body: { name: name(), permissions: ['users:list'] } }),
  'PUT /roles/{id}': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: await stage.roleOf(owner) }, body: { name: name() } };
  },
  'DELETE /roles/{id}': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: await stage.roleOf(owner) } };
  },
  'POST /roles/{id}/permissions': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { id: await stage.roleOf(owner) }, body: { permissions: ['roles:list'] } };
  },
  'PUT /organizations/{id}': async (stage) => {
    const { token, organizationId } = await stage.owner();
    return { token, values: { id: organizationId }, body: { name: 'Renamed' } };
  },
  'PUT /organizations/{id}/subscription': async (stage) => ({ token: (await stage.chief()).token, values: { id: (await stage.owner()).organizationId }, body: { planCode: 'PRO' } }),
  'POST /plans': async (stage) => ({ token: (await stage.chief()).token, body: stage.planFields() }),
  'PUT /plans/{id}': async (stage) => ({ token: (await stage.chief()).token, values: { id: await stage.plan() }, body: { ctaLink: `https://example.org/buy?key=${stage.secret()}` } }),
  'PUT /plans/{id}/limits': async (stage) => ({ token: (await stage.chief()).token, values: { id: await stage.plan() }, body: { limits: [{ limitKey: 'users', limitValue: 5, period: 'total' }] } }),
  'POST /plans/{id}/sync-stripe': async (stage) => ({ token: (await stage.chief()).token, values: { id: await stage.plan() } }),
  'POST /subscriptions/check-limit': async (stage) => ({ token: (await stage.owner()).token, body: { limitKey: 'api_calls' } }),
  'POST /subscriptions/consume': async (stage) => ({ token: (await stage.owner()).token, body: { limitKey: 'api_calls' } }),
  'POST /subscriptions/webhook': async (stage) => {
    const { body, signature } = stage.webhook();
    return { body, headers: { 'payment-signature': signature } };
  },
  'POST /subscriptions/upgrade': async (stage) => ({ token: (await stage.owner()).token, body: { planCode: 'PRO', interval: 'monthly' } }),
  'POST /subscriptions/upgrade-direct': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, body: { planCode: 'PRO', interval: 'monthly', paymentMethodId: await stage.card(owner) } };
  },
  'POST /subscriptions/payment-methods/setup': async (stage) => ({ token: (await stage.owner()).token }),
  'DELETE /subscriptions/payment-methods/{paymentMethodId}': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { paymentMethodId: await stage.card(owner) } };
  },
  'PUT /subscriptions/payment-methods/{paymentMethodId}/default': async (stage) => {
    const owner = await stage.owner();
    return { token: owner.token, values: { paymentMethodId: await stage.card(owner) } };
  },
  'POST /admin/payment-events/{id}/replay': async (stage) => {
    const id = `evt_${name()}`;
    await stage.shell.query(`insert into payment_events (id, processor, type, created_at, payload, status, attempts, next_attempt_at, received_at, last_error) values (?, 'local', 'invoice.paid', now(), '{}', 'dead', 10, now(), now(), 'no luck')`, [id]);
    return { token: (await stage.chief()).token, values: { id } };
  },
  'POST /onboarding': async () => ({ body: application() }),
  'PUT /onboarding/{id}/approve': async (stage) => ({ token: (await stage.chief()).token, values: { id: await onboardingRequest(stage) } }),
  'PUT /onboarding/{id}/reject': async (stage) => ({ token: (await stage.chief()).token, values: { id: await onboardingRequest(stage) }, body: { reason: 'Nobody knows them' } }),
  'POST /admin/apps': async (stage) => ({ token: (await stage.chief()).token, body: { slug: `a-${name()}`, name: 'App', type: 'satellite', apiUrl: '/app/api', metadata: { apiKey: stage.secret() } } }),
  'POST /admin/apps/register-remote': async (stage) => ({ token: (await stage.chief()).token, body: { uiUrl: stage.remoteUrl() } }),
  'PUT /admin/apps/{id}': async (stage) => ({ token: (await stage.chief()).token, values: { id: (await stage.app()).id }, body: { description: 'Changed', metadata: { nested: { password: stage.secret() } } } }),
  'DELETE /admin/apps/{id}': async (stage) => ({ token: (await stage.chief()).token, values: { id: (await stage.app()).id } }),
  'PUT /admin/apps/{id}/organizations/{organizationId}': async (stage) => ({ token: (await stage.chief()).token, values: { id: (await stage.app()).id, organizationId: (await stage.owner()).organizationId }, body: { enabled: false } }),
  'POST /admin/apps/{id}/clients': async (stage) => ({ token: (await stage.chief()).token, values: { id: (await stage.app()).id } }),
  'POST /admin/apps/{id}/clients/{clientId}/rotate': async (stage) => ({ token: (await stage.chief()).token, values: await values(stage) }),
  'DELETE /admin/apps/{id}/clients/{clientId}/previous-secret': async (stage) => ({ token: (await stage.chief()).token, values: await values(stage) }),
  'DELETE /admin/apps/{id}/clients/{clientId}': async (stage) => ({ token: (await stage.chief()).token, values: await values(stage) }),
};

const values = async (stage: Stage): Promise<Record<string, string>> => ({ ...(await stage.appClient()) });

const application = (): object => ({ orgName: 'Acme', orgType: 'company', contactEmail: 'office@acme.example', firstName: 'Ann', lastName: 'Example', applicantEmail: person().email, companySize: 12, ssoInterest: false });
const onboardingRequest = async (stage: Stage): Promise<string> => (await stage.shell.as().post('/api/onboarding').send(application()).expect(201)).body.data.id;

/** Operations whose success leaves another number of entries than one, and why. */
export const ENTRIES: Readonly<Record<string, { readonly count: number; readonly because: string }>> = {
  'POST /auth/register': { count: 2, because: 'the registration, and the session that it begins' },
  'POST /auth/service-token': { count: 0, because: 'issues a token and changes nothing; refusals are recorded' },
  'POST /auth/refresh': { count: 0, because: 'keeps a session alive, every few minutes for everybody; a replaced token that comes back is recorded' },
  'POST /auth/exchange': { count: 0, because: 'issues a token and changes nothing; refusals are recorded' },
  'POST /subscriptions/check-limit': { count: 0, because: 'asks only' },
  'POST /subscriptions/consume': { count: 0, because: 'counts, at every use of every app; the counter is the record' },
  'POST /subscriptions/webhook': { count: 0, because: 'stores the event; what it changes is recorded as subscriptions.sync' },
};

/** Operations whose refusals are not recorded, and why. */
export const SILENT: Readonly<Record<string, string>> = {
  'POST /auth/refresh': 'expired tokens come by themselves, from every browser that wakes up',
  'POST /subscriptions/check-limit': 'a question, asked at every use of every app',
  'POST /subscriptions/consume': 'an answer of the quota, at every use of every app',
};
