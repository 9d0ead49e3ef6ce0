import { eventually } from '@satellite/kit/testing';
import type { Revocation } from '@satellite/kit/auth';
import { serviceClient } from './support/gateway.js';
import { feeds, personIn, tokenOf, type Person } from './support/people.js';
import { useShell, type TestShell } from './support/shell.js';
import { decodeJwt } from 'jose';

const shell = useShell();
let service: string;
let ann: Person;
let owner: Person;
beforeAll(async () => {
  service = (await serviceClient(shell())).token;
  const { id } = await shell().organization();
  [ann, owner] = [await personIn(shell(), id), await personIn(shell(), id, { systemRole: 'ADMIN' })];
});
interface News { seq: number; revocations: Revocation[] }
const news = async (after: number, query: object = {}, process: TestShell = shell()): Promise<News> => (await process.as(service).get('/api/auth/revocations').query({ after, ...query }).expect(200)).body;
const logout = async (process: TestShell = shell()): Promise<string> => {
  const token = await tokenOf(shell(), ann.id, ann.organizationId);
  await process.as(token).post('/api/auth/logout').expect(200);
  return String(decodeJwt(token)['sid']);
};

describe('the list of revocations', () => {
  it('is for services only', async () => {
    for (const token of [undefined, ann.token, 'not.a.token']) await shell().as(token).get('/api/auth/revocations').expect(401);
    await shell().as(service).get('/api/auth/revocations').query({ after: 'x' }).expect(400);
  });

  it('tells what ended, in order, bare and without gaps', async () => {
    const before = (await feeds(shell())).revocations;
    const sessions = [await logout(), await logout()];
    await shell().as(owner.token).put(`/api/users/${ann.id}`).send({ status: 'suspended' }).expect(200);
    const { seq, revocations } = await news(before);
    expect(seq).toBe((await feeds(shell())).revocations);
    expect(revocations.slice(0, 2)).toEqual(sessions.map((subject, index) => ({ seq: before + 1 + index, kind: 'session', subject, issuedBefore: expect.any(String), expiresAt: expect.any(String) })));
    expect(revocations.at(-1)).toMatchObject({ seq, kind: 'user', subject: ann.id });
    expect(await news(seq)).toEqual({ seq, revocations: [] });
    expect((await news(0)).revocations.map((row) => row.seq)).toEqual(expect.arrayContaining(revocations.map((row) => row.seq)));
    await shell().as(owner.token).put(`/api/users/${ann.id}`).send({ status: 'active' }).expect(200);
  });

  it('answers who waits in the moment in which something ends, in every process', async () => {
    const other = await shell().second();
    const { seq } = await news(0);
    await other.shell.container.feeds.look();
    const waiting = [shell(), other].map((process) => news(seq, { wait: true }, process));
    const session = await logout();
    const began = performance.now();
    for (const answer of await Promise.all(waiting)) expect(answer.revocations).toEqual([expect.objectContaining({ kind: 'session', subject: session })]);
    expect(performance.now() - began).toBeLessThan(1000);
    await other.stop();
  });

  it('does not make a stopping Shell wait for who waits', async () => {
    const leaving = await shell().second();
    const { seq } = await news(0, {}, leaving);
    const waiting = news(seq, { wait: true }, leaving);
    await eventually(async () => (await leaving.query<{ seq: string }>('select 1 as seq')).length === 1, 1000);
    leaving.shell.drain();
    expect(await waiting).toEqual({ seq, revocations: [] });
    expect(await news(seq, { wait: true }, leaving)).toEqual({ seq, revocations: [] });
    await leaving.stop();
  });

  it('starts over for who knows more than the database does', async () => {
    await logout();
    const { seq, revocations } = await news(1_000_000);
    expect(seq).toBe((await feeds(shell())).revocations);
    expect(revocations.length).toBeGreaterThan(0);
  });

  it('survives the loss of Redis and of the process', async () => {
    const { seq } = await news(0);
    const session = await logout();
    await shell().redis.flushall();
    const fresh = await shell().second();
    expect((await news(seq, {}, fresh)).revocations).toEqual([expect.objectContaining({ subject: session })]);
    await fresh.stop();
  });
});
