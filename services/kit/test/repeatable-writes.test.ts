import { createHash, randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Database, IdempotencyKeyReused, InvalidIdempotencyKey, kept, REPEATABLE_WRITES_TABLE, RepeatableWrites, RequestInFlight, type RepeatableWrite } from '@satellite/kit/db';
import { useDatabase } from '@satellite/kit/testing';

const Thing = defineEntity({ name: 'RepeatableThing', tableName: 'things', properties: { name: p.text().primary() } });
const database = useDatabase({
  name: 'repeatablewrites',
  migrate: async (url) => {
    const db = Database.open({ url, service: 'repeatable-migrate', entities: [Thing], migrations: [] });
    await db.query('create table things (name text not null)');
    await db.query(REPEATABLE_WRITES_TABLE);
    await db.close();
  },
});
let db: Database;
let writes: RepeatableWrites;
beforeAll(() => {
  db = Database.open({ url: database.url, service: 'repeatable', entities: [Thing], migrations: [] });
  writes = new RepeatableWrites(db, Buffer.alloc(32, 1));
});
afterAll(() => db.close());

const things = async (name: string): Promise<number> => (await db.query('select from things where name = ?', [name])).length;
/** A write that makes one thing, in a transaction. */
const make = (name: string): Promise<{ name: string }> =>
  db.run(async () => {
    await db.query('insert into things (name) values (?)', [name]);
    return kept({ name });
  });
const ask = (over: Partial<RepeatableWrite> = {}): RepeatableWrite => ({ organizationId: randomUUID(), actorId: 'ann', operation: 'things.create', key: randomUUID(), asked: { a: 1, b: [2] }, ...over });
const once = (write: RepeatableWrite, name: string, work = () => make(name)) => writes.once(write, work, (made) => ({ thing: made.name }));

/** A promise that the test settles. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

describe('a repeated write', () => {
  it('is done once, and answered alike', async () => {
    const write = ask();
    expect(await once(write, 'once')).toEqual({ answer: { thing: 'once' }, replayed: false });
    expect(await once({ ...write, asked: { b: [2], a: 1 } }, 'once')).toEqual({ answer: { thing: 'once' }, replayed: true });
    expect(await things('once')).toBe(1);
  });

  it('is another one by another caller, in another organization, or of another operation', async () => {
    const write = ask();
    for (const other of [write, { ...write, actorId: 'bo' }, { ...write, organizationId: randomUUID() }, { ...write, operation: 'things.copy' }]) expect((await once(other, 'apart')).replayed).toBe(false);
    expect(await things('apart')).toBe(4);
  });

  it('is refused when something else is asked for', async () => {
    const write = ask();
    await once(write, 'asked');
    await expect(once({ ...write, asked: { a: 2 } }, 'asked')).rejects.toThrow(IdempotencyKeyReused);
    // what looks alike is not the same
    await once(ask({ ...write, key: 'pair', asked: { x: { a: 1 } } }), 'asked');
    await expect(once(ask({ ...write, key: 'pair', asked: { x: [['a', 1]] } }), 'asked')).rejects.toThrow(IdempotencyKeyReused);
    expect(await things('asked')).toBe(2);
  });

  it('is refused while the first one runs, however many there are', async () => {
    const [write, claimed, wait] = [ask(), gate(), gate()];
    const first = once(write, 'flight', async () => {
      claimed.open();
      await wait.passed;
      return make('flight');
    });
    await claimed.passed;
    await Promise.all(Array.from({ length: 5 }, () => expect(once(write, 'flight')).rejects.toThrow(RequestInFlight)));
    wait.open();
    expect((await first).replayed).toBe(false);
    expect((await once(write, 'flight')).replayed).toBe(true);
    expect(await things('flight')).toBe(1);
  });

  it('has one winner when many begin at once', async () => {
    const write = ask();
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => once(write, 'race')));
    expect(ends.filter((end) => end.status === 'fulfilled' && !end.value.replayed)).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(RequestInFlight);
    expect(await things('race')).toBe(1);
  });

  it('may be tried again after a failure, with another body as well', async () => {
    const write = ask();
    const failing = (): Promise<{ name: string }> => db.run(async () => {
      await make('undone');
      throw new Error('changed my mind');
    });
    await expect(once(write, 'failed', failing)).rejects.toThrow('changed my mind');
    expect(await things('undone')).toBe(0);
    expect((await once({ ...write, asked: 'better' }, 'failed')).replayed).toBe(false);
  });

  it('begins anew after a day', async () => {
    const write = ask();
    await once(write, 'day');
    await db.query('update repeatable_writes set expires_at = now() where organization_id = ?', [write.organizationId]);
    expect((await once({ ...write, asked: 'anything' }, 'day')).replayed).toBe(false);
  });

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(201), 'a\n'])('needs a key that can be one, not %j', async (key) => {
    await expect(once(ask({ key }), 'key')).rejects.toThrow(InvalidIdempotencyKey);
  });

  it('is not made of thousands of levels', async () => {
    await expect(once(ask({ asked: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) }), 'deep')).rejects.toThrow(/nested/);
  });
});

describe('a process that dies', () => {
  it('before the write lets another one take over when its claim has ended, and not sooner', async () => {
    const [write, claimed, wait] = [ask(), gate(), gate()];
    const dead = once(write, 'dead', async () => {
      claimed.open();
      await wait.passed;
      return make('dead');
    });
    await claimed.passed;
    await expect(once(write, 'dead')).rejects.toThrow(RequestInFlight);
    await db.query('update repeatable_writes set claimed_until = now() where organization_id = ?', [write.organizationId]);
    expect((await once(write, 'dead')).replayed).toBe(false);
    wait.open(); // it was only asleep: what it writes now is undone
    await expect(dead).rejects.toThrow(RequestInFlight);
    expect(await things('dead')).toBe(1);
    expect((await once(write, 'dead')).replayed).toBe(true);
  });

  it('after the write has left the answer', async () => {
    const write = ask();
    const dying = async (): Promise<{ name: string }> => {
      await make('written');
      throw new Error('the power is gone');
    };
    await expect(once(write, 'written', dying)).rejects.toThrow('the power is gone');
    expect(await once(write, 'written')).toEqual({ answer: { thing: 'written' }, replayed: true });
    expect(await things('written')).toBe(1);
  });
});

describe('an answer', () => {
  const secret = 'only the client may know';

  it('is stored sealed, and given again to who has the key', async () => {
    const write = ask();
    await once(write, secret);
    const stored = JSON.stringify(await db.query('select * from repeatable_writes where organization_id = ?', [write.organizationId]));
    for (const hidden of [secret, write.key, Buffer.from(secret).toString('base64').slice(0, 20)]) expect(stored).not.toContain(hidden);
    expect(await once(write, secret)).toEqual({ answer: { thing: secret }, replayed: true });
  });

  it('means nothing under another key of the service', async () => {
    const write = ask();
    await once(write, secret);
    await expect(new RepeatableWrites(db, Buffer.alloc(32, 2)).once(write, () => make(secret), (made) => made)).rejects.toThrow(IdempotencyKeyReused);
    expect(await things(secret)).toBe(2);
  });

  it('leaves nothing by which a password that was asked for could be guessed', async () => {
    const asked = { email: 'ann@example.org', password: 'guessable' };
    const write = ask({ asked });
    await once(write, 'guess');
    const [row] = await db.query<{ fingerprint: string }>('select fingerprint from repeatable_writes where organization_id = ?', [write.organizationId]);
    for (const text of [JSON.stringify(asked), JSON.stringify([asked])]) expect(row?.fingerprint).not.toBe(createHash('sha256').update(text).digest('hex'));
    const again = ask({ asked });
    await once(again, 'guess');
    const [other] = await db.query<{ fingerprint: string }>('select fingerprint from repeatable_writes where organization_id = ?', [again.organizationId]);
    expect(other?.fingerprint).not.toBe(row?.fingerprint);
  });
});

describe('a write that keeps nothing', () => {
  it('is a mistake that shows at once', async () => {
    await expect(once(ask(), 'nothing', () => Promise.resolve({ name: 'nothing' }))).rejects.toThrow('keeps no answer');
  });

  it('and keeping outside of a repeatable request changes nothing', async () => {
    expect(await kept(7)).toBe(7);
  });
});
