import { randomUUID } from 'node:crypto';
import { runJob } from './support/jobs.js';
import { personIn, type Person } from './support/people.js';
import { organizationOn, planWith, type PlanOptions } from './support/plans.js';
import { useShell } from './support/shell.js';

const shell = useShell();

/** Somebody without any permission in an organization with these limits. */
async function personWith(limits: PlanOptions['limits']): Promise<Person> {
  return personIn(shell(), await organizationOn(shell(), await planWith(shell(), { ...(limits && { limits }) })));
}
const calls = (limitValue: number, period = 'monthly') => [{ limitKey: 'api_calls', limitValue, period }];
const consume = (person: Person, body: object = { limitKey: 'api_calls' }, key?: string) => {
  const request = shell().as(person.token).post('/api/subscriptions/consume').send(body);
  return key === undefined ? request : request.set('idempotency-key', key);
};
const check = (person: Person, body: object = { limitKey: 'api_calls' }) => shell().as(person.token).post('/api/subscriptions/check-limit').send(body);
const usedBy = async ({ organizationId }: Person, limitKey = 'api_calls'): Promise<number> => {
  const [row] = await shell().query<{ used: string }>('select used from usage_counters where organization_id = ? and limit_key = ?', [organizationId, limitKey]);
  return Number(row?.used ?? 0);
};
const usage = async (person: Person): Promise<{ limitKey: string }[]> => (await shell().as(person.token).get('/api/subscriptions/usage').expect(200)).body.data;

describe('what cannot be consumed', () => {
  it.each([
    [{}], [{ limitKey: '' }], [{ limitKey: 7 }], [{ limitKey: 'A B' }], [{ limitKey: 'api_calls\0' }], [{ limitKey: 'x'.repeat(200) }],
    [{ limitKey: 'api_calls', amount: 0 }], [{ limitKey: 'api_calls', amount: -5 }], [{ limitKey: 'api_calls', amount: 1.5 }], [{ limitKey: 'api_calls', amount: 1e308 }], [{ limitKey: 'api_calls', amount: 1_000_000_001 }],
    [{ limitKey: 'api_calls', amount: '10' }], [{ limitKey: 'api_calls', amount: null }], [{ limitKey: 'api_calls', organizationId: randomUUID() }], [{ limitKey: 'api_calls', userId: randomUUID() }],
  ])('%j is refused', async (body) => {
    const person = await personWith(calls(-1));
    await consume(person, body).expect(400);
    await check(person, body).expect(400);
    expect(await usedBy(person)).toBe(0);
  });

  it('a number that JSON does not have is refused', async () => {
    const person = await personWith(calls(-1));
    await shell().as(person.token).post('/api/subscriptions/consume').set('content-type', 'application/json').send('{"limitKey":"api_calls","amount":NaN}').expect(400);
  });

  it('what nobody counts is not unlimited', async () => {
    const person = await personWith(calls(-1));
    for (const answer of [await consume(person, { limitKey: 'nobody.counts_this' }).expect(404), await check(person, { limitKey: 'nobody.counts_this' }).expect(404)]) {
      expect(answer.body.error.details.reason).toBe('subscriptions.unknown_limit_key');
    }
    expect(await usedBy(person, 'nobody.counts_this')).toBe(0);
  });

  it('what is counted but no part of the plan is used up from the start', async () => {
    const person = await personWith([]);
    const { error } = (await consume(person).expect(429)).body;
    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { reason: 'subscriptions.quota_exceeded', limitKey: 'api_calls', limit: 0, used: 0, resetAt: null } });
    expect((await check(person).expect(200)).body.data).toMatchObject({ allowed: false, reached: true, limit: 0, remaining: 0 });
  });

  it('of another organization, nothing: a header cannot name one either', async () => {
    const [mine, theirs] = [await personWith(calls(5)), await personWith(calls(5))];
    await consume(mine).set('x-organization-id', theirs.organizationId).set('x-org-id', theirs.organizationId).expect(200);
    expect([await usedBy(mine), await usedBy(theirs)]).toEqual([1, 0]);
  });
});

describe('consume', () => {
  it('counts one and says no more than that', async () => {
    const person = await personWith(calls(2));
    expect((await consume(person).expect(200)).body.data).toEqual({ success: true });
    await consume(person, { limitKey: 'api_calls', amount: 1 }).expect(200);
    expect(await usedBy(person)).toBe(2);
  });

  it('refuses with what the limit is, how much is used and when it begins again', async () => {
    const person = await personWith(calls(3));
    await consume(person, { limitKey: 'api_calls', amount: 2 }).expect(200);
    const answer = await consume(person, { limitKey: 'api_calls', amount: 2 }).expect(429);
    const now = new Date();
    const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(answer.body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { limitKey: 'api_calls', limit: 3, used: 2, resetAt } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await usedBy(person)).toBe(2); // all or nothing
    await consume(person).expect(200);
    await consume(person).expect(429);
  });

  it.each([[0, 429], [-1, 200]])('with a limit of %i answers %i', async (limitValue, status) => {
    await consume(await personWith(calls(limitValue)), { limitKey: 'api_calls', amount: 1_000_000_000 }).expect(status);
  });

  it('lets exactly 10 of 100 at once through when 10 are left', async () => {
    const person = await personWith(calls(110));
    await consume(person, { limitKey: 'api_calls', amount: 100 }).expect(200);
    const answers = await Promise.all(Array.from({ length: 100 }, () => consume(person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
    expect(await usedBy(person)).toBe(110);
  });

  it('overshoots neither on the first row nor with amounts', async () => {
    const person = await personWith(calls(20));
    const answers = await Promise.all(Array.from({ length: 30 }, () => consume(person, { limitKey: 'api_calls', amount: 3 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(await usedBy(person)).toBe(18);
  });

  it('counts each organization for itself', async () => {
    const [one, other] = [await personWith(calls(1)), await personWith(calls(1))];
    await consume(one).expect(200);
    await consume(one).expect(429);
    await consume(other).expect(200);
  });
});

describe('a period', () => {
  const age = (person: Person, by: string) => shell().query(`update usage_counters set window_start = window_start - ?::interval where organization_id = ?`, [by, person.organizationId]);

  it.each([['monthly', '1 month'], ['daily', '1 day']])('that is %s begins again by itself', async (period, by) => {
    const person = await personWith(calls(2, period));
    await consume(person, { limitKey: 'api_calls', amount: 2 }).expect(200);
    await consume(person).expect(429);
    await age(person, by);
    expect(await usage(person)).toMatchObject([{ used: 0, remaining: 2 }]);
    expect((await check(person)).body.data).toMatchObject({ allowed: true, used: 0 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => consume(person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await usedBy(person)).toBe(2);
  });

  it('of all time never does', async () => {
    const person = await personWith(calls(1, 'total'));
    await consume(person).expect(200);
    await age(person, '10 years');
    expect((await consume(person).expect(429)).body.error.details).toMatchObject({ used: 1, resetAt: null });
    expect(await usage(person)).toMatchObject([{ used: 1, remaining: 0, resetsAt: null }]);
  });
});

describe('an Idempotency-Key', () => {
  it('counts once, and says that the answer is an old one', async () => {
    const [person, key] = [await personWith(calls(5)), randomUUID()];
    const first = await consume(person, { limitKey: 'api_calls', amount: 2 }, key).expect(200);
    const again = await consume(person, { amount: 2, limitKey: 'api_calls' }, key).expect(200);
    expect(again.body.data).toEqual(first.body.data);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(await usedBy(person)).toBe(2);
  });

  it('belongs to one request', async () => {
    const [person, key] = [await personWith(calls(5)), randomUUID()];
    await consume(person, { limitKey: 'api_calls' }, key).expect(200);
    const { error } = (await consume(person, { limitKey: 'api_calls', amount: 2 }, key).expect(422)).body;
    expect(error.details.reason).toBe('request.idempotency_key_reused');
    expect(await usedBy(person)).toBe(1);
  });

  it('belongs to one person', async () => {
    const [person, key] = [await personWith(calls(5)), randomUUID()];
    const colleague = await personIn(shell(), person.organizationId);
    await consume(person, { limitKey: 'api_calls' }, key).expect(200);
    await consume(colleague, { limitKey: 'api_calls', amount: 2 }, key).expect(200);
    expect(await usedBy(person)).toBe(3);
  });

  it.each(['', 'a b', 'x'.repeat(201), 'ä'])('like "%s" is refused', async (key) => {
    const person = await personWith(calls(5));
    const { status } = await consume(person, { limitKey: 'api_calls' }, encodeURI(key) === key ? key : Buffer.from(key, 'utf8').toString('latin1'));
    expect(status).toBe(400);
    expect(await usedBy(person)).toBe(0);
  });

  it('counts once when many come at once; the others hear that it is being done, or the answer', async () => {
    const [person, key] = [await personWith(calls(50)), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => consume(person, { limitKey: 'api_calls' }, key)));
    expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.filter(({ status, headers }) => status === 200 && headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await usedBy(person)).toBe(1);
  });

  it('that is in flight answers 409', async () => {
    const [person, key] = [await personWith(calls(5)), randomUUID()];
    const { db } = shell().shell.container;
    await db.run(async () => {
      await db.query('select pg_advisory_xact_lock(hashtextextended(?, 0))', [JSON.stringify([person.organizationId, person.id, key])]);
      const answer = await fetch(`${shell().url}/api/subscriptions/consume`, { method: 'POST', headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'idempotency-key': key }, body: '{"limitKey":"api_calls"}' });
      expect(answer.status).toBe(409);
    });
    expect(await usedBy(person)).toBe(0);
  });

  it('of a request that was refused may be used again', async () => {
    const [person, key] = [await personWith(calls(0)), randomUUID()];
    await consume(person, { limitKey: 'api_calls' }, key).expect(429);
    await shell().query(`update plan_limits set limit_value = 1 where plan_id = (select plan_id from organization_plans where organization_id = ?)`, [person.organizationId]);
    expect((await consume(person, { limitKey: 'api_calls' }, key).expect(200)).headers['idempotency-replayed']).toBeUndefined();
  });

  it('is forgotten after 24 hours', async () => {
    const [person, key] = [await personWith(calls(5)), randomUUID()];
    await consume(person, { limitKey: 'api_calls' }, key).expect(200);
    const [row] = await shell().query<{ hours: string }>('select extract(epoch from expires_at - created_at) / 3600 as hours from idempotency_keys where key = ?', [key]);
    expect(Number(row?.hours)).toBe(24);
    await shell().query('update idempotency_keys set expires_at = now() where key = ?', [key]);
    await consume(person, { limitKey: 'api_calls', amount: 2 }, key).expect(200);
    expect(await usedBy(person)).toBe(3);
    await shell().query('update idempotency_keys set expires_at = now() where key = ?', [key]);
    await runJob(shell(), 'housekeeping');
    expect(await shell().query('select from idempotency_keys where key = ?', [key])).toHaveLength(0);
  });
});

describe('usage', () => {
  it('shows every limit of the plan', async () => {
    const person = await personWith([...calls(10, 'daily'), { limitKey: 'apps', limitValue: -1, period: 'total' }, { limitKey: 'users', limitValue: 3, period: 'total' }]);
    await consume(person, { limitKey: 'api_calls', amount: 4 }).expect(200);
    expect(await usage(person)).toEqual([
      { limitKey: 'api_calls', limit: 10, used: 4, remaining: 6, period: 'daily', resetsAt: expect.stringMatching(/T00:00:00.000Z$/), overLimit: false },
      { limitKey: 'apps', limit: -1, used: 0, remaining: null, period: 'total', resetsAt: null, overLimit: false },
      { limitKey: 'users', limit: 3, used: 1, remaining: 2, period: 'total', resetsAt: null, overLimit: false },
    ]);
  });

  it('counts people by looking at them', async () => {
    const person = await personWith([{ limitKey: 'users', limitValue: 2, period: 'total' }]);
    expect((await check(person, { limitKey: 'users' })).body.data).toMatchObject({ allowed: true, reached: false, used: 1 });
    await personIn(shell(), person.organizationId);
    expect((await check(person, { limitKey: 'users' })).body.data).toMatchObject({ allowed: false, reached: true, used: 2 });
    expect((await consume(person, { limitKey: 'users' }).expect(400)).body.error.details.reason).toBe('subscriptions.counted_by_platform');
  });

  it('check-limit answers as consume would, and counts nothing', async () => {
    const person = await personWith(calls(2));
    expect((await check(person, { limitKey: 'api_calls', amount: 2 }).expect(200)).body.data).toMatchObject({ allowed: true, reached: false, limit: 2, used: 0, remaining: 2 });
    expect((await check(person, { limitKey: 'api_calls', amount: 3 }).expect(200)).body.data).toMatchObject({ allowed: false, reached: false });
    await consume(person, { limitKey: 'api_calls', amount: 2 }).expect(200);
    expect((await check(person).expect(200)).body.data).toMatchObject({ allowed: false, reached: true, remaining: 0 });
    expect(await usedBy(person)).toBe(2);
  });
});
