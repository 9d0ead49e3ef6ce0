import { eventually } from '../testing/eventually.js';
import { createPermissionClient } from './permission-client.js';
import { createRevocationFeed, type RevocationFeedOptions } from './revocation-feed.js';
import type { ServiceTokenClient } from './service-token-client.js';

type Reply = () => Response | Promise<Response>;
interface Asked { readonly url: string; readonly body: unknown; readonly token: string | null }

/** A Shell that answers what the test says, and remembers what it was asked. */
function fakeShell(): { fetch: typeof fetch; asked: Asked[]; replies: Reply[]; otherwise: Reply } {
  const shell = {
    asked: [] as Asked[],
    replies: [] as Reply[],
    otherwise: (() => json({ allowed: true, reason: 'granted', policyVersion: 1 })) as Reply,
    fetch: (async (url: string | URL, init: RequestInit = {}) => {
      shell.asked.push({ url: String(url), body: init.body === undefined ? undefined : JSON.parse(String(init.body)), token: new Headers(init.headers).get('authorization') });
      const reply = shell.replies.shift() ?? shell.otherwise;
      return Promise.race([Promise.resolve(reply()), new Promise<never>((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)))]);
    }) as typeof fetch,
  };
  return shell;
}
const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
function tokens(): ServiceTokenClient & { forgotten: number } {
  const client = { forgotten: 0, token: async () => `token-${client.forgotten}`, forget: () => void (client.forgotten += 1) };
  return client;
}
const question = { sub: 'ann', act: 'read', obj: 'drive.files' };

describe('the permission client', () => {
  const clientOf = (shell: ReturnType<typeof fakeShell>, over: object = {}) => createPermissionClient({ shellUrl: 'http://shell.test', tokens: tokens(), fetch: shell.fetch, ...over });

  it('asks once for equal questions of the same moment, apart for different ones, and always when told to read through', async () => {
    const shell = fakeShell();
    const client = clientOf(shell);
    await Promise.all([client.check(question), client.check(question), client.check({ ...question, act: 'write' }), client.check({ ...question, organizationId: 'acme' })]);
    expect(shell.asked).toHaveLength(3);
    for (let i = 0; i < 2; i += 1) await client.check({ ...question, consistency: 'full' });
    expect(shell.asked).toHaveLength(5);
    expect(shell.asked[0]).toEqual({ url: 'http://shell.test/api/rbac.v1.RbacService/CheckPermission', body: question, token: 'Bearer token-0' });
  });

  it('keeps no yes for longer than half a second, whatever it is told', async () => {
    const shell = fakeShell();
    const client = clientOf(shell, { cacheMs: 3_600_000 });
    shell.replies.push(() => json({ allowed: true, reason: 'granted', policyVersion: 1 }));
    shell.otherwise = () => json({ allowed: false, reason: 'not_granted', policyVersion: 2 });
    expect((await client.check(question)).allowed).toBe(true);
    await eventually(async () => !(await client.check(question)).allowed, 700, 'the no heard');
  });

  it('authorizes anew each time: what counts is never from memory', async () => {
    const shell = fakeShell();
    const client = clientOf(shell);
    const wish = { ...question, limitKey: 'drive.storage_bytes', amount: 7, idempotencyKey: 'once' };
    await Promise.all([client.authorize(wish), client.authorize(wish)]);
    shell.replies.push(() => json({ canceled: true }));
    expect(await client.cancel({ organizationId: 'acme', idempotencyKey: 'once' })).toBe(true);
    await client.release({ organizationId: 'acme', limitKey: 'drive.storage_bytes', amount: 7, idempotencyKey: 'gone' });
    expect(shell.asked.map(({ url }) => url.split('/').at(-1))).toEqual(['Authorize', 'Authorize', 'CancelAuthorization', 'ReleaseQuota']);
    expect(shell.asked[0]?.body).toEqual(wish);
    shell.replies.push(() => json({ code: 'already_exists' }, 409));
    await expect(client.authorize(wish)).rejects.toMatchObject({ kind: 'unavailable' }); // being processed: repeat it
  });

  it('is unavailable for every failure of the Shell, and asks again next time', async () => {
    const shell = fakeShell();
    const client = clientOf(shell, { timeoutMs: 50 });
    const failures: Reply[] = [() => json({}, 500), () => json({ code: 'unavailable' }, 503), () => { throw new TypeError('fetch failed'); }, () => new Response('not json'), () => new Promise<Response>(() => undefined), () => json({}, 302)];
    for (const failure of failures) {
      shell.replies.push(failure);
      await expect(client.check(question)).rejects.toMatchObject({ kind: 'unavailable' });
    }
    expect((await client.check(question)).allowed).toBe(true);
  });

  it('takes a new token once when the Shell does not know the old one any more', async () => {
    const shell = fakeShell();
    const client = clientOf(shell);
    shell.replies.push(() => json({ code: 'unauthenticated' }, 401));
    expect((await client.check(question)).allowed).toBe(true);
    expect(shell.asked.map(({ token }) => token)).toEqual(['Bearer token-0', 'Bearer token-1']);
    shell.replies.push(() => json({}, 401), () => json({}, 401));
    await expect(client.check({ ...question, act: 'write' })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('does not hide a question that the Shell refuses behind an answer', async () => {
    const shell = fakeShell();
    shell.replies.push(() => json({ code: 'permission_denied', message: 'not yours' }, 403));
    await expect(clientOf(shell).check(question)).rejects.toThrow('not yours');
  });
});

describe('the revocation feed', () => {
  const row = (seq: number, subject: string) => ({ seq, kind: 'session', subject, issuedBefore: new Date().toISOString(), expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const never: Reply = () => new Promise<Response>(() => undefined);
  const feedOf = (shell: ReturnType<typeof fakeShell>, over: Partial<RevocationFeedOptions> = {}) => createRevocationFeed({ url: 'http://shell.test/revocations', tokens: tokens(), fetch: shell.fetch, ...over });

  it('knows what ended before it started, then waits for the next', async () => {
    const shell = fakeShell();
    shell.otherwise = never;
    shell.replies.push(() => json({ seq: 3, revocations: [row(3, 'old')] }), () => json({ seq: 4, revocations: [row(4, 'new')] }));
    const feed = feedOf(shell);
    expect(feed.staleness()).toBe(Infinity);
    await feed.start();
    expect(feed.isRevoked({ sid: 'old' })).toBe(true);
    await eventually(() => feed.isRevoked({ sid: 'new' }), 1000);
    expect(() => feed.assertLive({ sid: 'new' })).toThrow(expect.objectContaining({ kind: 'unauthenticated' }));
    expect(() => feed.assertLive({ sid: 'mine' })).not.toThrow();
    await eventually(() => shell.asked.length === 3, 1000);
    expect(shell.asked.map(({ url }) => url.split('?')[1])).toEqual(['after=0', 'after=3&wait=true', 'after=4&wait=true']);
    feed.stop();
  });

  it('refuses everybody when it knows too little, unless told otherwise, and recovers by itself', async () => {
    const shell = fakeShell();
    shell.otherwise = () => json({}, 503);
    const [strict, lenient] = [feedOf(shell), feedOf(shell, { whenStale: 'accept' })];
    await Promise.all([strict.start(), lenient.start()]);
    expect(() => strict.assertLive({ sid: 'mine' })).toThrow(expect.objectContaining({ kind: 'unavailable' }));
    expect(() => lenient.assertLive({ sid: 'mine' })).not.toThrow();
    shell.otherwise = () => json({ seq: 1, revocations: [row(1, 'gone')] });
    await eventually(() => strict.staleness() < 1000, 2000, 'the feed back');
    shell.otherwise = never;
    expect(() => strict.assertLive({ sid: 'mine' })).not.toThrow();
    expect(() => strict.assertLive({ sid: 'gone' })).toThrow(expect.objectContaining({ kind: 'unauthenticated' }));
    strict.stop();
    lenient.stop();
  });

  it('forgets what a restored database does not know, and asks for a new token after a 401', async () => {
    const shell = fakeShell();
    shell.otherwise = never;
    shell.replies.push(() => json({ seq: 9, revocations: [row(9, 'undone')] }), () => json({}, 401), () => json({ seq: 2, revocations: [row(2, 'kept')] }));
    const client = tokens();
    const feed = feedOf(shell, { tokens: client });
    await feed.start();
    expect(feed.isRevoked({ sid: 'undone' })).toBe(true);
    await eventually(() => feed.isRevoked({ sid: 'kept' }), 2000);
    expect([feed.isRevoked({ sid: 'undone' }), client.forgotten]).toEqual([false, 1]);
    feed.stop();
  });
});
