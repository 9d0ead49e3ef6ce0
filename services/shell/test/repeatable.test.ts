import { randomUUID } from 'node:crypto';
import { rawOpenApi } from '../src/openapi.js';
import { entriesOf } from './support/audit.js';
import { MUTATIONS, type Mutation } from './support/mutations.js';
import { addressOf, type Operation } from '@satellite/kit/testing';
import { operations } from './support/operations.js';
import { personIn } from './support/people.js';
import { TestShell } from './support/shell.js';
import { environmentOf, Stage, surroundings, type Surroundings } from './support/stage.js';

let around: Surroundings;
let shell: TestShell;
let stage: Stage;
beforeAll(async () => {
  around = await surroundings();
  shell = await TestShell.start(environmentOf(around));
  stage = new Stage(shell, around);
});
afterAll(async () => {
  await shell.stop();
  around.idp.stop();
  around.remote.close();
});

/** Operations that honour the header; consume has tests of its own. */
const repeatable = operations.filter(({ name, method }) => {
  const path = name.split(' ')[1] ?? '';
  return name !== 'POST /subscriptions/consume' && rawOpenApi.paths[path]?.[method]?.parameters?.some((parameter) => parameter.name === 'Idempotency-Key');
});
const named = repeatable.map((operation): [string, Operation] => [operation.name, operation]);
const recipeOf = async ({ name }: Operation): Promise<Mutation> => (await MUTATIONS[name]?.(stage)) ?? {};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
  readonly isReplay: boolean;
  readonly reason: string | undefined;
}

async function send(operation: Operation, { token, values, body, headers = {} }: Mutation, key: string): Promise<Answer> {
  const request = shell.as(token)[operation.method](addressOf(operation, values)).set({ ...headers, 'idempotency-key': key });
  const answer = await (body === undefined ? request : request.send(body));
  return { status: answer.status, text: answer.text, requestId: answer.headers['x-request-id'] ?? '', isReplay: answer.headers['idempotency-replayed'] === 'true', reason: answer.body?.error?.details?.reason };
}

/** What people did by these requests. */
const effectsOf = async (answers: readonly Answer[]): Promise<number> => (await Promise.all(answers.map(({ requestId }) => entriesOf(shell, requestId)))).flat().filter(({ actorKind, outcome }) => actorKind !== 'system' && outcome === 'success').length;

it('is honoured wherever something is made', () => {
  expect(repeatable.map(({ name }) => name).sort()).toEqual([
    'POST /admin/apps', 'POST /admin/apps/register-remote', 'POST /admin/apps/{id}/clients', 'POST /admin/apps/{id}/clients/{clientId}/rotate', 'POST /onboarding', 'POST /plans', 'POST /roles',
    'POST /subscriptions/upgrade', 'POST /subscriptions/upgrade-direct', 'POST /users', 'POST /users/{id}/roles',
  ]);
});

describe('the same request with the same key', () => {
  it.each(named)('%s is done once and answered alike', async (_name, operation) => {
    const [mutation, key] = [await recipeOf(operation), randomUUID()];
    const first = await send(operation, mutation, key);
    expect([first.status < 300, first.text]).toEqual([true, first.text]);
    expect(first.isReplay).toBe(false);
    const again = await send(operation, mutation, key);
    expect({ status: again.status, body: again.text, isReplay: again.isReplay }).toEqual({ status: first.status, body: first.text, isReplay: true });
    expect(await effectsOf([first, again])).toBe(1);
  });

  it.each(named)('%s, eight times at once, is done once', async (_name, operation) => {
    const [mutation, key] = [await recipeOf(operation), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(operation, mutation, key)));
    expect(answers.filter(({ status, isReplay }) => status < 300 && !isReplay)).toHaveLength(1);
    for (const { status, isReplay, reason } of answers) if (status >= 300 || isReplay) expect(isReplay ? 'replayed' : reason).toMatch(/^(replayed|request\.in_flight)$/);
    expect(await effectsOf(answers)).toBe(1);
  });
});

describe('the same key', () => {
  it.each(named)('%s with something else asked for is 422', async (name, operation) => {
    const [mutation, key] = [await recipeOf(operation), randomUUID()];
    const first = await send(operation, mutation, key);
    expect(first.status).toBeLessThan(300);
    const other = await recipeOf(operation);
    // another address where there is no body to be different
    const different: Mutation = mutation.body === undefined ? { ...mutation, values: other.values ?? {} } : { ...mutation, body: { ...other.body, ...(name.startsWith('POST /subscriptions') && { interval: 'yearly' }) } };
    const answer = await send(operation, different, key);
    expect([answer.status, answer.reason]).toEqual([422, 'request.idempotency_key_reused']);
    expect(await effectsOf([answer])).toBe(0);
  });

  it.each(named.filter(([, { isPublic }]) => !isPublic))('%s means nothing to another person', async (_name, operation) => {
    const key = randomUUID();
    for (let people = 0; people < 2; people += 1) {
      const { status, isReplay } = await send(operation, await recipeOf(operation), key);
      expect([status < 300, isReplay]).toEqual([true, false]);
    }
  });

  it('shows a colleague nothing', async () => {
    const owner = await stage.owner();
    const colleague = await personIn(shell, owner.organizationId, { systemRole: 'ADMIN' });
    const [body, key] = [{ name: 'Auditors', permissions: [] }, randomUUID()];
    await shell.as(owner.token).post('/api/roles').set('idempotency-key', key).send(body).expect(201);
    const { body: answer } = await shell.as(colleague.token).post('/api/roles').set('idempotency-key', key).send(body).expect(409);
    expect(answer.error.details.reason).toBe('roles.name_in_use');
  });

  it('can be used again after a refusal, for the same and for something better', async () => {
    const { token } = await stage.owner();
    const post = (key: string, body: object) => shell.as(token).post('/api/roles').set('idempotency-key', key).send(body);
    const taken = (await post(randomUUID(), { name: 'Taken', permissions: [] }).expect(201)).body.data.id;
    const key = randomUUID();
    await post(key, { name: 'Taken', permissions: [] }).expect(409);
    await post(key, { name: '', permissions: [] }).expect(400);
    await shell.as(token).delete(`/api/roles/${taken}`).expect(204);
    await post(key, { name: 'Taken', permissions: [] }).expect(201);
  });

  it('is worth nothing to who has lost the right meanwhile', async () => {
    const owner = await stage.owner();
    const [body, key] = [{ name: 'Mine', permissions: [] }, randomUUID()];
    await shell.as(owner.token).post('/api/roles').set('idempotency-key', key).send(body).expect(201);
    await shell.query('delete from user_roles where user_id = ?', [owner.id]);
    await shell.as(owner.token).post('/api/roles').set('idempotency-key', key).send(body).expect(403);
  });

  it.each(['a b', 'x'.repeat(201), 'ü'.normalize('NFC')])('is refused when it can be none: %j', async (key) => {
    const { token } = await stage.owner();
    const answer = await fetch(`${shell.url}/api/roles`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }, body: '{"name":"N"}' });
    expect(answer.status).toBe(400);
  });
});

describe('what is stored', () => {
  it('holds no secret of an answer or a request', async () => {
    for (const name of ['POST /admin/apps/{id}/clients', 'POST /admin/apps/{id}/clients/{clientId}/rotate', 'POST /users', 'POST /subscriptions/upgrade']) {
      const operation = repeatable.find((known) => known.name === name);
      if (operation === undefined) throw new Error(name);
      const { text } = await send(operation, await recipeOf(operation), randomUUID());
      const { data } = JSON.parse(text) as { data: Record<string, string> };
      stage.learn(data);
      if (data['checkoutUrl'] !== undefined) stage.secrets.add(data['checkoutUrl']);
    }
    const stored = JSON.stringify(await shell.query('select * from repeatable_writes'));
    expect(stored.length).toBeGreaterThan(1000);
    for (const secret of stage.secrets) if (secret !== '') expect([stored.includes(secret), secret]).toEqual([false, secret]);
  });

  it('goes after a day, by housekeeping', async () => {
    const { token, organizationId } = await stage.owner();
    await shell.as(token).post('/api/roles').set('idempotency-key', randomUUID()).send({ name: 'Kept', permissions: [] }).expect(201);
    const rows = () => shell.query<{ hours: number }>('select (extract(epoch from expires_at - created_at) / 3600)::float8 as hours from repeatable_writes where organization_id = ?', [organizationId]);
    expect(await rows()).toEqual([{ hours: 24 }]);
    await shell.query('update repeatable_writes set expires_at = now() where organization_id = ?', [organizationId]);
    await shell.shell.container.scheduler.run('housekeeping');
    expect(await rows()).toEqual([]);
  });
});
