import { createLogger } from '@satellite/kit/telemetry';
import { OPERATIONS, type AuditedOperation } from '../src/modules/audit/audit.actions.js';
import { rawOpenApi } from '../src/openapi.js';
import { entriesOf } from './support/audit.js';
import { ENTRIES, MUTATIONS, SILENT, type Mutation } from './support/mutations.js';
import { addressOf, type Operation } from '@satellite/kit/testing';
import { operations } from './support/operations.js';
import { personIn, type Person } from './support/people.js';
import { TestShell } from './support/shell.js';
import { environmentOf, Stage, surroundings, type Surroundings } from './support/stage.js';

const audited: Readonly<Record<string, AuditedOperation>> = OPERATIONS;
const mutating = operations.filter(({ name, method }) => method !== 'get' || name in MUTATIONS);
const named = (list: readonly Operation[]): [string, Operation][] => list.map((operation) => [operation.name, operation]);

let around: Surroundings;
let shell: TestShell;
let stage: Stage;
const logs: string[] = [];
beforeAll(async () => {
  around = await surroundings();
  const logger = createLogger({ service: 'shell', level: 'trace', destination: { write: (line: string) => void logs.push(line) } });
  shell = await TestShell.start(environmentOf(around), logger);
  stage = new Stage(shell, around);
});
afterAll(async () => {
  await shell.stop();
  around.idp.stop();
  around.remote.close();
});

async function send(operation: Operation, { token, values = {}, body, headers = {} }: Mutation): Promise<{ status: number; requestId: string; text: string }> {
  const request = shell.as(token)[operation.method](addressOf(operation, values)).set(headers);
  const answer = await (body === undefined ? request : request.send(body));
  stage.learn(answer.body);
  return { status: answer.status, requestId: answer.headers['x-request-id'] ?? '', text: answer.text };
}

describe('the tables of this test', () => {
  it('know every operation that changes something, and no other', () => {
    expect(mutating.map(({ name }) => name).sort()).toEqual(Object.keys(MUTATIONS).sort());
    for (const table of [ENTRIES, SILENT]) expect(Object.keys(table).filter((name) => !(name in MUTATIONS))).toEqual([]);
  });

  it('agree with what the Shell watches: whatever changes something or needs a permission', () => {
    const watched = operations.filter(({ name, permissions }) => (name in MUTATIONS || permissions.length > 0) && !(name in SILENT)).map(({ name }) => name);
    expect(Object.keys(OPERATIONS).filter((name) => name !== 'GET /auth/callback').sort()).toEqual(watched.sort());
  });

  it('send a marked secret in every field that could hold one', async () => {
    const isSecret = /password|secret|token$/i;
    for (const operation of mutating) {
      const described = rawOpenApi.paths[operation.name.split(' ')[1] ?? '']?.[operation.method]?.requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1);
      const fields = Object.keys(rawOpenApi.components?.schemas?.[described ?? '']?.properties ?? {}).filter((field) => isSecret.test(field));
      if (fields.length === 0) continue;
      const body = (await MUTATIONS[operation.name]?.(stage))?.body as Record<string, unknown> | undefined;
      const sent = fields.filter((field) => typeof body?.[field] === 'string' && stage.secrets.has(body[field]));
      // exchange-idp takes its one token under either of two names
      expect([operation.name, sent]).toEqual([operation.name, operation.name === 'POST /auth/exchange-idp' ? ['idpToken'] : fields]);
    }
  });
});

describe('a success leaves its entry', () => {
  it.each(named(mutating))('%s', async (name, operation) => {
    const { status, requestId, text } = await send(operation, (await MUTATIONS[name]?.(stage)) ?? {});
    expect([status < 300, text]).toEqual([true, text]);
    const entries = (await entriesOf(shell, requestId)).filter(({ actorKind }) => actorKind !== 'system');
    const { count } = ENTRIES[name] ?? { count: 1 };
    expect(entries.map(({ outcome }) => outcome)).toEqual(Array(count).fill('success'));
    if (count > 0) expect(entries[0]).toMatchObject({ action: audited[name]?.action, address: '127.0.0.1', targetId: expect.any(String) });
  });
});

describe('a refusal leaves one entry, and nothing else', () => {
  let stranger: Person;
  beforeAll(async () => {
    stranger = await personIn(shell, (await shell.organization()).id);
  });

  it.each(named(operations.filter(({ name, permissions }) => permissions.length > 0 && !(name in SILENT))))('%s by somebody without the permission', async (name, operation) => {
    // of a fresh person each: more refusals of one than the trail takes singly would only be counted
    const { token, id, organizationId } = await personIn(shell, stranger.organizationId);
    const { status, requestId } = await send(operation, { token, ...(operation.method !== 'get' && operation.method !== 'delete' && { body: {} }) });
    expect(status).toBe(403);
    expect(await entriesOf(shell, requestId, 1)).toEqual([expect.objectContaining({ action: audited[name]?.action, outcome: 'refused', reason: 'auth.permission_denied', actorKind: 'user', actorId: id, organizationId, address: '127.0.0.1', before: null, after: null })]);
  });

  it.each(named(mutating.filter(({ name, isPublic, isOptional, permissions }) => !isPublic && !isOptional && permissions.length === 0 && !(name in SILENT))))('%s with a token that has been ended', async (name, operation) => {
    const { token, id, organizationId } = await personIn(shell, stranger.organizationId);
    await shell.query('update sessions set ended_at = now() where user_id = ?', [id]);
    const { status, requestId } = await send(operation, { token });
    expect(status).toBe(401);
    expect(await entriesOf(shell, requestId, 1)).toEqual([expect.objectContaining({ action: audited[name]?.action, outcome: 'refused', reason: 'auth.invalid_token', actorKind: 'user', actorId: id, organizationId })]);
  });

  it.each(named(mutating.filter(({ name, method, isPublic, isOptional }) => method !== 'get' && (isPublic || isOptional) && !(name in SILENT))))('%s with fields that it does not know', async (name, operation) => {
    const { body } = (await MUTATIONS[name]?.(stage)) ?? {};
    const { status, requestId } = await send(operation, { body: { ...body, surprise: stage.secret() } });
    expect(status).toBe(400);
    expect(await entriesOf(shell, requestId, 1)).toEqual([expect.objectContaining({ action: audited[name]?.action, outcome: 'refused', actorKind: 'anonymous', actorId: null, organizationId: null, address: '127.0.0.1', before: null, after: null })]);
  });

  it.each(Object.keys(SILENT).filter((name) => name in MUTATIONS))('%s leaves none', async (name) => {
    const operation = operations.find((known) => known.name === name);
    if (operation === undefined) throw new Error(name);
    const { token } = await personIn(shell, stranger.organizationId);
    const { requestId, status } = await send(operation, { token, body: { surprise: 1 } });
    expect(status).toBe(400);
    await shell.as(token).get('/api/admin/audit').expect(403); // a later refusal of the same person, after which the earlier one would be there
    expect(await entriesOf(shell, requestId)).toEqual([]);
  });
});

describe('when all of that has been done', () => {
  it('no secret is in the audit trail or in the log', async () => {
    const trail = JSON.stringify(await shell.query('select * from audit_entries'));
    const log = logs.join('');
    expect(trail.length).toBeGreaterThan(10_000);
    expect(log.split('\n').length).toBeGreaterThan(100);
    expect(stage.secrets.size).toBeGreaterThan(50);
    for (const secret of [...stage.secrets].filter((text) => text !== '')) {
      expect([trail.includes(secret), secret]).toEqual([false, secret]);
      // the local processor, with which no money moves, has the secret in the address of its card page
      if (!secret.startsWith('seti_')) expect([log.includes(secret), secret]).toEqual([false, secret]);
    }
  });
});
