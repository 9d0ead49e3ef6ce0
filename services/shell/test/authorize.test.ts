import { randomUUID } from 'node:crypto';
import { call, exchanged, registeredApp, serviceClient, WAYS, type Answer, type RegisteredApp } from './support/gateway.js';
import { personIn, type Person } from './support/people.js';
import { organizationOn, planWith } from './support/plans.js';
import { useShell } from './support/shell.js';

const shell = useShell();
let app: RegisteredApp;
let token: string;
/** Counted for ever, as storage is. */
let bytes: string;
/** Begins again each month. */
let calls: string;
beforeAll(async () => {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  [bytes, calls] = [`${slug}.storage_bytes`, `${slug}.calls`];
  app = await registeredApp(shell(), { slug, limitKeys: [{ key: bytes }, { key: calls }] });
  token = (await serviceClient(shell(), { appSlug: slug })).token;
});

/** Somebody who may write files, in an organization with these limits. */
async function writer(limits: readonly { limitKey: string; limitValue: number; period: string }[], permissions = [`${app.slug}.files:write`]): Promise<Person> {
  return personIn(shell(), await organizationOn(shell(), await planWith(shell(), { limits })), { permissions });
}
const storage = (limitValue: number) => [{ limitKey: bytes, limitValue, period: 'total' }];
const monthly = (limitValue: number) => [{ limitKey: calls, limitValue, period: 'monthly' }];
const question = ({ id }: Person, over: object = {}) => ({ sub: id, act: 'write', obj: `${app.slug}.files`, limitKey: bytes, ...over });
const authorize = (person: Person, over: object = {}, bearer = token): Promise<Answer> => call(shell(), 'Authorize', bearer, question(person, over));
const release = ({ organizationId }: Person, over: object = {}, bearer = token): Promise<Answer> => call(shell(), 'ReleaseQuota', bearer, { organizationId, limitKey: bytes, idempotencyKey: randomUUID(), ...over });
const cancel = ({ organizationId }: Person, idempotencyKey: string, bearer = token): Promise<Answer> => call(shell(), 'CancelAuthorization', bearer, { organizationId, idempotencyKey });
const used = async ({ organizationId }: Person, limitKey = bytes): Promise<number> => {
  const [row] = await shell().query<{ used: string }>('select used from usage_counters where organization_id = ? and limit_key = ?', [organizationId, limitKey]);
  return Number(row?.used ?? 0);
};

describe('Authorize is refused', () => {
  it.each<[string, object, number]>([
    ['an amount of 0', { amount: 0 }, 400], ['less than nothing', { amount: -5 }, 400], ['a part', { amount: 1.5 }, 400], ['more than there is', { amount: 1e308 }, 400], ['no number', { amount: 'NaN' }, 400], ['a word', { amount: 'many' }, 400],
    ['a limit that is none', { limitKey: 'NO LIMIT' }, 400], ['an amount of nothing', { limitKey: '', amount: 1 }, 400], ['a key for nothing', { limitKey: '', idempotencyKey: 'k' }, 400], ['a wildcard', { act: '*' }, 400], ['a key with spaces', { idempotencyKey: 'a b' }, 400],
    ['a limit of the platform', { limitKey: 'api_calls' }, 403], ['a limit of another app', { limitKey: 'other.bytes' }, 403], ['a permission of the platform', { act: 'list', obj: 'users' }, 403],
  ])('%s', async (_what, over, status) => {
    const person = await writer(storage(-1));
    expect((await authorize(person, over)).status).toBe(status);
    expect(await used(person)).toBe(0);
  });

  it.each(['Authorize', 'CancelAuthorization', 'ReleaseQuota'])('%s: to nobody, to people, and to services of the platform without the permission', async (method) => {
    const person = await writer(storage(10));
    const body = { ...(method === 'Authorize' ? question(person) : { organizationId: person.organizationId, idempotencyKey: 'k' }), ...(method === 'ReleaseQuota' && { limitKey: bytes }) };
    const own = await exchanged(shell(), person.token, 'shell-rbac');
    const statuses = [];
    for (const bearer of [undefined, person.token, own, (await serviceClient(shell(), { permissions: ['rbac:read'] })).token, (await serviceClient(shell(), { permissions: ['quota:consume'] })).token]) statuses.push((await call(shell(), method, bearer, body)).status);
    expect(statuses).toEqual([401, 401, 403, 403, 403]);
    expect((await call(shell(), method, (await serviceClient(shell(), { permissions: ['rbac:read', 'quota:consume'] })).token, body)).status).toBe(200);
  });

  it('a limit that nobody declares', async () => {
    expect(await authorize(await writer(storage(10)), { limitKey: `${app.slug}.nothing` })).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });
});

describe('Authorize', () => {
  it.each(WAYS)('counts with the permission, and says what is left (%s)', async (way) => {
    const person = await writer(storage(10));
    const answer = await call(shell(), 'Authorize', token, question(person, { amount: 4 }), way);
    expect([answer.status, answer.json]).toEqual([200, { allowed: true, reason: 'granted', policyVersion: expect.any(Number), quota: { limitKey: bytes, limit: 10, used: 4, remaining: 6, resetsAt: '' }, replayed: false }]);
    expect(await used(person)).toBe(4);
  });

  it('counts one unless told otherwise, and nothing without a limit', async () => {
    const person = await writer(monthly(5));
    const { json } = await authorize(person, { limitKey: calls });
    expect(json['quota']).toMatchObject({ used: 1, remaining: 4, resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/) });
    const plain = (await authorize(person, { limitKey: '' })).json;
    expect(plain).toMatchObject({ allowed: true, reason: 'granted' });
    expect(plain).not.toHaveProperty('quota');
  });

  it('counts nothing without the permission, and does not say what is left', async () => {
    const person = await writer(storage(10), [`${app.slug}.files:read`]);
    const { json } = await authorize(person, { idempotencyKey: randomUUID() });
    expect(json).toMatchObject({ allowed: false, reason: 'not_granted' });
    expect(json).not.toHaveProperty('quota');
    expect((await authorize(person, { sub: randomUUID() })).json).toMatchObject({ allowed: false, reason: 'unknown_subject' });
    expect((await authorize(person, { organizationId: randomUUID() })).json).toMatchObject({ allowed: false, reason: 'other_organization' });
    expect(await used(person)).toBe(0);
    expect(await shell().query('select from idempotency_keys where organization_id = ?', [person.organizationId])).toEqual([]);
  });

  it('counts nothing where the app is switched off', async () => {
    const person = await writer(storage(10));
    const admin = await (await shell().organization()).member(['apps:write']);
    await shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${person.organizationId}`).send({ enabled: false }).expect(200);
    expect((await authorize(person, { consistency: 'full' })).json).toMatchObject({ allowed: false, reason: 'app_not_enabled' });
    expect(await used(person)).toBe(0);
  });

  it('refuses what passes the limit whole, and says how much there is', async () => {
    const person = await writer(storage(10));
    await authorize(person, { amount: 8 });
    expect((await authorize(person, { amount: 3 })).json).toMatchObject({ allowed: false, reason: 'quota_exceeded', quota: { limit: 10, used: 8, remaining: 2 } });
    expect(await used(person)).toBe(8);
    const nothing = await writer([]);
    expect((await authorize(nothing)).json).toMatchObject({ allowed: false, reason: 'quota_exceeded', quota: { limit: 0, remaining: 0 } });
    expect((await authorize(await writer(storage(-1)), { amount: 1e12 })).json).toMatchObject({ allowed: true, quota: { limit: -1, used: 1e12, remaining: -1 } });
  });

  it('lets exactly 10 of 60 at once through when 10 are left', async () => {
    const person = await writer(storage(10));
    const answers = await Promise.all(Array.from({ length: 60 }, () => authorize(person)));
    expect(answers.filter(({ json }) => json['allowed'] === true)).toHaveLength(10);
    expect(answers.filter(({ json }) => json['reason'] === 'quota_exceeded')).toHaveLength(50);
    expect(await used(person)).toBe(10);
  });

  it('counts a key once, however often it is asked, and refuses it for anything else', async () => {
    const [person, key] = [await writer(storage(10)), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => authorize(person, { amount: 4, idempotencyKey: key })));
    for (const { status, json } of answers) expect([200, 409]).toContain(status === 200 && json['allowed'] !== true ? 0 : status);
    expect((await authorize(person, { amount: 4, idempotencyKey: key })).json).toMatchObject({ allowed: true, replayed: true, quota: { used: 4 } });
    expect((await authorize(person, { amount: 5, idempotencyKey: key })).json).toMatchObject({ code: 'failed_precondition' });
    const other = (await serviceClient(shell(), { appSlug: app.slug })).token; // keys of one client mean nothing to another
    expect((await authorize(person, { amount: 5, idempotencyKey: key }, other)).json).toMatchObject({ allowed: true, replayed: false });
    expect(await used(person)).toBe(9);
  });
});

describe('CancelAuthorization', () => {
  it('gives back what a key counted, once', async () => {
    const [person, key] = [await writer(storage(10)), randomUUID()];
    await authorize(person, { amount: 3 });
    await authorize(person, { amount: 4, idempotencyKey: key });
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(person, key)));
    expect(answers.filter(({ json }) => json['canceled'] === true)).toHaveLength(1);
    expect((await cancel(person, key)).json).toEqual({ canceled: false });
    expect(await used(person)).toBe(3);
  });

  it('is exact although the call that it cancels comes later', async () => {
    const [person, key] = [await writer(storage(10)), randomUUID()];
    expect((await cancel(person, key)).json).toEqual({ canceled: false });
    expect((await authorize(person, { amount: 4, idempotencyKey: key })).json).toMatchObject({ code: 'failed_precondition' });
    expect(await used(person)).toBe(0);
  });

  it('leaves what was counted under keys of others and of other organizations', async () => {
    const [person, other, key] = [await writer(storage(10)), await writer(storage(10)), randomUUID()];
    await authorize(person, { amount: 4, idempotencyKey: key });
    await cancel(other, key);
    await cancel(person, key, (await serviceClient(shell(), { appSlug: app.slug })).token);
    expect(await used(person)).toBe(4);
    expect((await cancel({ ...person, organizationId: 'no-id' }, key)).status).toBe(400);
    expect((await cancel(person, '')).status).toBe(400);
  });

  it('does not touch the next period', async () => {
    const [person, key] = [await writer(monthly(10)), randomUUID()];
    await authorize(person, { limitKey: calls, amount: 4, idempotencyKey: key });
    await shell().query(`update usage_counters set window_start = window_start + interval '1 month' where organization_id = ?`, [person.organizationId]); // as if the month had ended
    expect((await cancel(person, key)).json).toEqual({ canceled: true });
    expect(await used(person, calls)).toBe(4);
  });
});

describe('ReleaseQuota', () => {
  it('makes storage exact: what is deleted is free again', async () => {
    const person = await writer(storage(100));
    await authorize(person, { amount: 60 });
    await authorize(person, { amount: 40 });
    expect((await authorize(person)).json).toMatchObject({ allowed: false, reason: 'quota_exceeded' });
    expect((await release(person, { amount: 60 })).json).toEqual({ quota: { limitKey: bytes, limit: 100, used: 40, remaining: 60, resetsAt: '' }, replayed: false });
    expect((await authorize(person, { amount: 60 })).json).toMatchObject({ allowed: true, quota: { used: 100 } });
  });

  it('happens once for a key, also at once, and never goes below nothing', async () => {
    const [person, key] = [await writer(storage(100)), randomUUID()];
    await authorize(person, { amount: 50 });
    await Promise.all(Array.from({ length: 8 }, () => release(person, { amount: 20, idempotencyKey: key })));
    expect((await release(person, { amount: 20, idempotencyKey: key })).json).toMatchObject({ replayed: true, quota: { used: 30 } });
    expect((await release(person, { amount: 21, idempotencyKey: key })).json).toMatchObject({ code: 'failed_precondition' });
    expect((await release(person, { amount: 1000 })).json).toMatchObject({ quota: { used: 0 } });
  });

  it('keeps count while many consume and release at once', async () => {
    const person = await writer(storage(1000));
    await authorize(person, { amount: 500 });
    const kept = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? release(person, { amount: 3 }) : authorize(person, { amount: 5 }))));
    expect(kept.every(({ status }) => status === 200)).toBe(true);
    expect(await used(person)).toBe(500 - 30 * 3 + 30 * 5);
  });

  it('works after a downgrade and where the app is off, so that nothing stays counted for ever', async () => {
    const person = await writer(storage(100));
    await authorize(person, { amount: 50 });
    await shell().query('delete from plan_limits l using organization_plans p where p.plan_id = l.plan_id and p.organization_id = ?', [person.organizationId]);
    const admin = await (await shell().organization()).member(['apps:write']);
    await shell().as(admin).put(`/api/admin/apps/${app.id}/organizations/${person.organizationId}`).send({ enabled: false }).expect(200);
    expect((await release(person, { amount: 20 })).json).toMatchObject({ quota: { limit: 0 } });
    expect(await used(person)).toBe(30);
  });

  it('gives nothing of a period that is over to the next', async () => {
    const person = await writer(monthly(10));
    const { json } = await authorize(person, { limitKey: calls, amount: 4 });
    const { resetsAt } = json['quota'] as { resetsAt: string };
    await release(person, { limitKey: calls, amount: 1, resetsAt });
    expect(await used(person, calls)).toBe(3);
    await shell().query(`update usage_counters set window_start = window_start + interval '1 month' where organization_id = ?`, [person.organizationId]);
    await release(person, { limitKey: calls, amount: 1, resetsAt });
    expect(await used(person, calls)).toBe(3);
  });

  it.each<[string, object, number]>([
    ['without a key', { idempotencyKey: '' }, 400], ['of nothing', { amount: 0 }, 400], ['of no organization', { organizationId: 'x' }, 400], ['at no time', { resetsAt: 'soon' }, 400],
    ['of another app', { limitKey: 'other.bytes' }, 403], ['of the platform', { limitKey: 'users' }, 403], ['of what nobody counts', { limitKey: 'KEY' }, 400],
  ])('is refused %s', async (_what, over, status) => {
    const person = await writer(storage(10));
    await authorize(person, { amount: 5 });
    expect((await release(person, over)).status).toBe(status);
    expect(await used(person)).toBe(5);
  });
});
