import { defineEntity, p } from '@mikro-orm/core';
import { Database } from '@satellite/kit/db';
import { useDatabase } from '@satellite/kit/testing';

/** The ORM wants one. */
const Note = defineEntity({ name: 'Note', tableName: 'notes', properties: { text: p.text().primary() } });
const database = useDatabase({
  name: 'aftercommit',
  migrate: async (url) => {
    const db = Database.open({ url, service: 'after-commit-migrate', entities: [Note], migrations: [] });
    await db.query('create table notes (text text not null unique)');
    await db.close();
  },
});
let db: Database;
let heard: string[];
/** Writes and asks to hear what others can see by then. */
const write = async (text: string): Promise<void> => {
  await db.query('insert into notes (text) values (?)', [text]);
  db.afterCommit(() => heard.push(text));
};
beforeAll(() => {
  db = Database.open({ url: database.url, service: 'after-commit', entities: [Note], migrations: [] });
});
afterAll(() => db.close());
beforeEach(() => {
  heard = [];
});

describe('afterCommit', () => {
  it('calls back in order, once the outermost transaction is committed, and outside of it', async () => {
    let seen: unknown[] = [];
    await db.run(async () => {
      await db.run(() => write('inner'));
      expect(heard).toEqual([]);
      await write('outer');
      db.afterCommit(() => (seen = [...heard]));
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['inner', 'outer']);
    expect(seen).toEqual(['inner', 'outer']);
  });

  it('never calls back after a rollback, whoever caused it', async () => {
    await expect(db.run(async () => {
      await db.run(() => write('thrown'));
      throw new Error('changed my mind');
    })).rejects.toThrow('changed my mind');
    await expect(db.run(async () => {
      await write('twice');
      await write('twice');
    })).rejects.toThrow();
    expect(heard).toEqual([]);
    expect(await db.query(`select text from notes where text in ('thrown', 'twice')`)).toEqual([]);
  });

  it('keeps what parallel transactions ask for apart', async () => {
    await Promise.allSettled([db.run(() => write('one')), db.run(async () => { await write('lost'); throw new Error('no'); }), db.run(() => write('two'))]);
    expect(heard.sort()).toEqual(['one', 'two']);
  });

  it('calls back at once outside of a transaction, and survives a callback that throws', async () => {
    db.afterCommit(() => heard.push('now'));
    expect(heard).toEqual(['now']);
    await expect(db.run(async () => {
      db.afterCommit(() => { throw new Error('broken'); });
      db.afterCommit(() => heard.push('still'));
      return 7;
    })).resolves.toBe(7);
    expect(heard).toEqual(['now', 'still']);
  });
});
