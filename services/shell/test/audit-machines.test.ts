import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { AuthGateway } from '@satellite/proto/auth/v1';
import { RbacService } from '@satellite/proto/rbac/v1';
import { AppRegistry } from '@satellite/proto/registry/v1';
import { RPCS } from '../src/modules/audit/audit.actions.js';
import { entriesIn, entriesOf, type StoredEntry } from './support/audit.js';
import { serviceClient } from './support/gateway.js';
import { runJob } from './support/jobs.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { Relay } from './support/relay.js';
import { ADMIN, OPERATOR, useShell } from './support/shell.js';

let relay: Relay;
const shell = useShell(async () => {
  relay = await Relay.start();
  return { APP_ENV_PAYMENT_WEBHOOK_URL: relay.url };
});
beforeAll(() => {
  relay.target = shell().url;
});
afterAll(() => relay.stop());

/** Calls a method of the operator's registry; answers the request id. */
async function registry(method: string, token: string | undefined, body: object): Promise<{ status: number; requestId: string }> {
  const answer = await fetch(`${shell().url}/api/registry.v1.AppRegistry/${method}`, { method: 'POST', headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
  await answer.text();
  return { status: answer.status, requestId: answer.headers.get('x-request-id') ?? '' };
}

/** RPCs whose refusals are not recorded, and why. */
const SILENT_RPCS: Readonly<Record<string, string>> = Object.fromEntries(
  RbacService.methods.map(({ name }) => [`${RbacService.typeName}/${name}`, 'asked at every use of every app; metrics and counters are the record']),
);

it('every RPC is watched, or says why not', () => {
  const all = [AppRegistry, AuthGateway, RbacService].flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}/${name}`));
  expect(all.sort()).toEqual([...Object.keys(RPCS), ...Object.keys(SILENT_RPCS)].sort());
});

describe('the operator', () => {
  let token: string;
  const slug = `sat-${randomUUID().slice(0, 8)}`;
  const uid = randomUUID();
  const app = (over: object = {}): object => ({ slug, name: 'Satellite', type: 'satellite', apiUrl: `/${slug}/api`, organizations: { all: true }, ...over });
  const source = (generation: number): object => ({ uid, generation: String(generation), namespace: 'apps', name: slug });
  beforeAll(async () => {
    token = (await shell().as().post('/api/auth/service-token').send(OPERATOR).expect(200)).body.data.accessToken;
  });

  it('leaves an entry for each entry that it makes, changes and removes, in the platform\'s trail', async () => {
    const made = await registry('ApplyApp', token, { app: app(), source: source(1) });
    const changed = await registry('ApplyApp', token, { app: app({ name: 'Renamed' }), source: source(2) });
    const removed = await registry('RemoveApp', token, { slug, source: source(2) });
    const common = { organizationId: null, actorKind: 'operator', actorId: 'operator', targetType: 'app', outcome: 'success', address: '127.0.0.1' };
    expect(await entriesOf(shell(), made.requestId)).toMatchObject([{ ...common, action: 'apps.apply', before: null, after: { slug, name: 'Satellite', managedBy: 'operator', source: `apps/${slug}, generation 1` } }]);
    expect(await entriesOf(shell(), changed.requestId)).toMatchObject([{ ...common, action: 'apps.apply', before: { name: 'Satellite', source: `apps/${slug}, generation 1` }, after: { name: 'Renamed', source: `apps/${slug}, generation 2` } }]);
    expect(await entriesOf(shell(), removed.requestId)).toMatchObject([{ ...common, action: 'apps.remove', before: { name: 'Renamed' }, after: null }]);
  });

  it('says of each of many at once in whose request it was made, whatever was refused beside it', async () => {
    const others = Array.from({ length: 40 }, (_, index) => `${slug}-${index}`);
    const taken = randomUUID();
    await registry('ApplyApp', token, { app: { ...app(), slug: `${slug}-7` }, source: { ...source(1), uid: taken, name: 'first' } });
    const answers = await Promise.all(others.map(async (other) => ({ other, ...(await registry('ApplyApp', token, { app: { ...app(), slug: other }, source: { ...source(1), uid: randomUUID(), name: other } })) })));
    expect(answers.filter(({ status }) => status !== 200)).toMatchObject([{ other: `${slug}-7`, status: 409 }]);
    for (const { other, status, requestId } of answers) if (status === 200) expect(await entriesOf(shell(), requestId)).toMatchObject([{ action: 'apps.apply', outcome: 'success', after: { slug: other } }]);
    const rows = await shell().query(`select count(distinct revision)::int as revisions from apps where slug like '${slug}-%'`);
    expect(rows).toEqual([{ revisions: 40 }]);
  });

  it('leaves none for a resync that changes nothing', async () => {
    await registry('ApplyApp', token, { app: app(), source: source(3) });
    const again = await registry('ApplyApp', token, { app: app(), source: source(3) });
    expect(again.status).toBe(200);
    expect(await entriesOf(shell(), again.requestId)).toEqual([]);
  });

  it.each([
    ['without a token', () => Promise.resolve(undefined), { actorKind: 'anonymous', actorId: null, reason: 'auth.sign_in_required' }],
    ['by a service that may not', async () => (await serviceClient(shell())).token, { actorKind: 'service', actorId: expect.stringMatching(/^c-/), reason: 'auth.permission_denied' }],
    ['with a person\'s token', async () => (await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' })).token, { actorKind: 'anonymous', reason: 'auth.invalid_token' }],
  ])('leaves one for each method that is refused %s', async (_how, tokenOf, expected) => {
    const bearer = await tokenOf();
    for (const [method, action] of [['ApplyApp', 'apps.apply'], ['ApplyApps', 'apps.apply'], ['RollOutApp', 'apps.apply'], ['RemoveApp', 'apps.remove'], ['PlanApp', 'apps.plan'], ['ListApps', 'apps.list_applied'], ['ReportApp', 'apps.report'], ['ReportApps', 'apps.report'], ['GetApiBaseline', 'apps.read_api_baseline']] as const) {
      const { requestId } = await registry(method, bearer, {});
      expect(await entriesOf(shell(), requestId, 1)).toMatchObject([{ ...expected, action, outcome: 'refused', organizationId: null, before: null, after: null }]);
    }
  });

  it('leaves one for what it may not change', async () => {
    const { requestId } = await registry('ApplyApp', token, { app: app({ apiUrl: 'javascript:alert(1)' }), source: source(9) });
    expect(await entriesOf(shell(), requestId, 1)).toMatchObject([{ actorKind: 'operator', action: 'apps.apply', outcome: 'refused', reason: 'request.invalid_fields' }]);
  });

  it('leaves one for what it may not change in the middle of a batch', async () => {
    const bad = { app: app({ apiUrl: 'javascript:alert(1)' }), source: source(9) };
    const applied = await registry('ApplyApps', token, { calls: [bad] });
    const reported = await registry('ReportApps', token, { calls: [{ slug: 'nobody-has-this', source: source(9), report: { digest: 'sha256:x', observedGeneration: '9' } }] });
    expect([applied.status, reported.status]).toEqual([200, 200]);
    expect(await entriesOf(shell(), applied.requestId, 1)).toMatchObject([{ actorKind: 'operator', action: 'apps.apply', outcome: 'refused', reason: 'request.invalid_fields' }]);
    expect(await entriesOf(shell(), reported.requestId, 1)).toMatchObject([{ actorKind: 'operator', action: 'apps.report', outcome: 'refused', reason: 'apps.not_found' }]);
  });
});

describe('a service with a wrong secret', () => {
  it('leaves a refusal that names the client that it claims to be, if there is one', async () => {
    const known = await shell().as().post('/api/auth/service-token').send({ clientId: 'operator', clientSecret: 'x'.repeat(30) }).expect(401);
    expect(await entriesOf(shell(), String(known.headers['x-request-id']), 1)).toMatchObject([{ actorKind: 'anonymous', action: 'auth.service_token', targetType: 'service_client', targetId: 'operator', reason: 'auth.invalid_client', organizationId: null }]);
    const unknown = await shell().as().post('/api/auth/service-token').send({ clientId: 'nobody', clientSecret: 'y'.repeat(30) }).expect(401);
    expect(await entriesOf(shell(), String(unknown.headers['x-request-id']), 1)).toMatchObject([{ targetType: null, targetId: null, reason: 'auth.invalid_client' }]);
  });
});

describe('the payment processor', () => {
  it('leaves an entry of the system where an event changes a subscription', async () => {
    const owner = await personIn(shell(), await organizationOn(shell(), 'HOBBY'), { systemRole: 'ADMIN' });
    const { checkoutUrl } = (await shell().as(owner.token).post('/api/subscriptions/upgrade').send({ planCode: 'PRO', interval: 'monthly' }).expect(200)).body.data;
    await fetch(checkoutUrl.replace('http://platform.test', shell().url), { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card: 'visa' }) });
    const found = (): Promise<StoredEntry[]> => entriesIn(shell(), owner.organizationId, 'subscriptions.sync');
    await eventually(async () => (await found()).length > 0, 20_000, 'the entry');
    expect((await found())[0]).toMatchObject({ actorKind: 'system', actorId: 'local', targetType: 'subscription', outcome: 'success', before: { planCode: 'HOBBY' }, after: { planCode: 'PRO', processor: 'local' } });
  });

  it('leaves a refusal where its signature is wrong', async () => {
    const answer = await shell().as().post('/api/subscriptions/webhook').set('payment-signature', `t=${Math.floor(Date.now() / 1000)},v1=00`).send({ id: 'evt_x' }).expect(400);
    expect(await entriesOf(shell(), String(answer.headers['x-request-id']), 1)).toMatchObject([{ actorKind: 'anonymous', action: 'subscriptions.webhook', outcome: 'refused', organizationId: null }]);
  });
});

describe('the clock', () => {
  it('leaves an entry of the system where the time of a subscription has come, and none where nothing changes', async () => {
    const [lapsed, rolling, resting] = [await organizationOn(shell(), await planWith(shell(), { monthlyPrice: 5 })), await organizationOn(shell(), 'HOBBY'), await organizationOn(shell(), 'HOBBY')];
    await shell().query(`update subscriptions set lapses_at = now() - interval '1 minute', current_period_end = now() - interval '1 minute' where organization_id = ?`, [lapsed]);
    await shell().query(`update subscriptions set current_period_end = now() - interval '1 minute' where organization_id = ?`, [rolling]);
    const before = await entriesIn(shell(), resting);
    const settled = async (): Promise<boolean> => (await entriesIn(shell(), lapsed, 'subscriptions.settle')).some(({ before: from }) => from !== null) && (await entriesIn(shell(), rolling, 'subscriptions.renew')).length > 0;
    await runJob(shell(), 'subscriptions.move-on');
    await eventually(settled, 20_000, 'the entries'); // the schedule may have been faster
    expect((await entriesIn(shell(), lapsed, 'subscriptions.settle')).at(-1)).toMatchObject({ actorKind: 'system', actorId: null, address: null, requestId: null, after: { planCode: 'HOBBY' } });
    expect((await entriesIn(shell(), rolling, 'subscriptions.renew')).at(-1)).toMatchObject({ actorKind: 'system', targetType: 'subscription', after: { currentPeriodEnd: expect.any(String) } });
    expect(await entriesIn(shell(), resting)).toEqual(before);
  });
});

describe('a refresh token that comes back', () => {
  it('leaves an entry in its organization\'s trail, for it ends a session', async () => {
    const { data } = (await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200)).body;
    const refresh = (refreshToken: string, agent: string) => shell().as().post('/api/auth/refresh').set('user-agent', agent).send({ refreshToken });
    await refresh(data.refreshToken, 'mine').expect(200);
    const stolen = await refresh(data.refreshToken, 'a thief\'s').expect(400);
    expect(await entriesOf(shell(), String(stolen.headers['x-request-id']))).toMatchObject([{ action: 'auth.token_reuse', actorKind: 'anonymous', organizationId: await platformOf(shell()), targetType: 'session', after: { endReason: 'reuse' } }]);
  });
});

describe('the installation', () => {
  it('says who it made its first administrator, and what roles hold', async () => {
    expect(await entriesIn(shell(), await platformOf(shell()), 'platform.seed')).toMatchObject([{ seq: 1, actorKind: 'system', targetType: 'user', after: { email: ADMIN.email, roles: ['SUPER_ADMIN'] } }]);
    const platform = await entriesIn(shell(), null, 'platform.seed');
    expect(platform).toEqual(expect.arrayContaining([expect.objectContaining({ targetType: 'role', targetId: 'ADMIN' }), expect.objectContaining({ targetType: 'service_client', targetId: 'operator' })]));
    const again = await shell().second();
    expect(await entriesIn(shell(), null, 'platform.seed')).toEqual(platform); // a start that changes nothing says nothing
    await again.stop();
  });

  it('says when a secret of the deployment has changed', async () => {
    const rotated = await shell().second({ APP_ENV_OPERATOR_CLIENT_SECRET: 'another secret of the operator' });
    expect((await entriesIn(shell(), null, 'platform.seed')).at(-1)).toMatchObject({ targetType: 'service_client', targetId: 'operator', after: { secretsInUse: 2 } });
    await rotated.stop();
  });

  it('says no second secret of a client when only its installation has changed', async () => {
    const client = { clientId: 'operator-moving', clientSecret: 'secret-of-the-moving-cluster' };
    for (const installation of ['here', 'there']) {
      const other = await shell().second({ APP_ENV_OPERATOR_INSTALLATIONS: JSON.stringify([{ ...client, installation }]) });
      expect((await entriesIn(shell(), null, 'platform.seed')).findLast(({ targetId }) => targetId === client.clientId)).toMatchObject({ after: { installation, secretsInUse: 1 } });
      await other.stop();
    }
  });
});

describe('somebody acting for a person', () => {
  it('is named beside the person', async () => {
    const person: Person = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    const [session] = await shell().query<{ id: string }>('select id from sessions where user_id = ?', [person.id]);
    const claims = { sub: person.id, email: person.email, username: person.id, firstName: 'Ann', lastName: 'Example', roles: [], organizationId: person.organizationId, sid: session?.id ?? '', act: { sub: 'client:drive-1', act: { sub: 'client:before' } } };
    const { accessToken } = await shell().shell.container.tokens.issueForUser(claims);
    const answer = await shell().as(accessToken).put('/api/auth/me/preferences').send({ a: 1 }).expect(200);
    const [entry] = await shell().query<{ act: string; actorId: string }>('select act, actor_id as "actorId" from audit_entries where request_id = ?', [answer.headers['x-request-id']]);
    expect(entry).toEqual({ act: 'client:drive-1', actorId: person.id });
  });
});
