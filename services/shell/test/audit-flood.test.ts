import { randomUUID } from 'node:crypto';
import { entriesIn, entriesOf, type StoredEntry } from './support/audit.js';
import { personIn } from './support/people.js';
import { useShell, type TestShell } from './support/shell.js';

const shell = useShell();
const sum = (entries: readonly StoredEntry[]): number => entries.reduce((total, { occurrences }) => total + occurrences, 0);
const idOf = (answer: { headers: Record<string, string> }): string => answer.headers['x-request-id'] ?? '';

/** Sends many, some at a time. */
async function many(count: number, send: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 20) await Promise.all(Array.from({ length: Math.min(20, count - n) }, (_, index) => send(n + index)));
}

describe('a flood of refusals', () => {
  it('of one administrator fills no table, and none of it is lost when the process stops', async () => {
    const admin = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    const other: TestShell = await shell().second();
    await many(200, () => other.as(admin.token).put(`/api/users/${randomUUID()}`).send({}).expect(404));
    await other.stop();
    const entries = await entriesIn(shell(), admin.organizationId, 'users.update');
    expect(sum(entries)).toBe(200);
    expect(entries.length).toBeLessThanOrEqual(32);
    expect(entries[0]).toMatchObject({ outcome: 'refused', occurrences: 1, targetType: 'user', targetId: expect.any(String) });
  });

  it('of strangers from everywhere fills none either', async () => {
    const behind = await shell().second({ APP_ENV_TRUSTED_PROXIES: 'loopback' });
    const before = (await entriesIn(shell(), null, 'roles.create')).length;
    await many(300, (n) => behind.as('forged.token.here').post('/api/roles').set('x-forwarded-for', `198.51.${Math.floor(n / 250)}.${n % 250}`).send({}).expect(401));
    await behind.stop();
    const entries = (await entriesIn(shell(), null, 'roles.create')).slice(before);
    expect(sum(entries)).toBe(300);
    expect(entries.length).toBeLessThanOrEqual(250);
    expect(new Set(entries.map(({ address }) => address)).size).toBeGreaterThan(50);
  });

  it('is still answered, and its answers do not wait for it', async () => {
    const admin = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    // whoever holds the end of the chain keeps refusals from being written, not from being answered
    const { db } = shell().shell.container;
    await shell().as(admin.token).put('/api/auth/me/preferences').send({ a: 1 }).expect(200);
    let answer: { headers: Record<string, string> } | undefined;
    await db.run(async () => {
      await db.query('select from audit_chains where id = ? for update', [admin.organizationId]);
      answer = await shell().as(admin.token).put(`/api/users/${randomUUID()}`).send({}).expect(404);
      expect(await entriesOf(shell(), idOf(answer))).toEqual([]);
    });
    expect(await entriesOf(shell(), answer ? idOf(answer) : '', 1)).toHaveLength(1);
  });
});

describe('the address of an entry', () => {
  it('is the connection\'s, whatever a header says, unless the proxy is trusted', async () => {
    const admin = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    const forge = (of: TestShell) => of.as(admin.token).put('/api/auth/me/preferences').set('x-forwarded-for', '203.0.113.9').set('forwarded', 'for=203.0.113.9').set('x-real-ip', '203.0.113.9').send({ a: 1 }).expect(200);
    expect(await entriesOf(shell(), idOf(await forge(shell())))).toMatchObject([{ address: '127.0.0.1' }]);
    const behind = await shell().second({ APP_ENV_TRUSTED_PROXIES: 'loopback' });
    expect(await entriesOf(shell(), idOf(await forge(behind)))).toMatchObject([{ address: '203.0.113.9' }]);
    const chained = await behind.as(admin.token).put('/api/auth/me/preferences').set('x-forwarded-for', 'not an address, 1.2.3.4, 203.0.113.10').send({ a: 1 }).expect(200);
    expect(await entriesOf(shell(), idOf(chained))).toMatchObject([{ address: '203.0.113.10' }]); // what stands before is anybody's word
    await behind.stop();
  });
});

describe('control characters', () => {
  it('never reach an entry as they are', async () => {
    const admin = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    const answer = await shell().as(admin.token).put('/api/auth/me/preferences').send({ 'a\r\nforged: line': 1, '\u001b[31mred': 2, '=cmd|calc': 3, '\u202eevil': 4 }).expect(200);
    const [entry] = await entriesOf(shell(), idOf(answer));
    expect(entry?.after).toEqual({ preferences: expect.arrayContaining(['=cmd|calc', 'a\\u000d\\u000aforged: line', '\\u001b[31mred', '\\u202eevil']) });
    const refused = await shell().as(admin.token).put('/api/users/%0d%0a%1b%5b31m').send({}).expect(400);
    expect(await entriesOf(shell(), idOf(refused), 1)).toMatchObject([{ targetId: '%0d%0a%1b%5b31m' }]); // as it was sent
    const forged = await shell().as(admin.token).put('/api/auth/me/preferences').set('x-request-id', 'a b;"c').send({ b: 1 }).expect(200);
    expect(idOf(forged)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
