import { defineEntity, p } from '@mikro-orm/core';
import { Database } from '@satellite/kit/db';
import { useDatabase } from '@satellite/kit/testing';

const Note = defineEntity({ name: 'LastNote', tableName: 'notes', properties: { text: p.text().primary() } });
const database = useDatabase({
  name: 'beforecommit',
  migrate: async (url) => {
    const db = Database.open({ url, service: 'before-commit-migrate', entities: [Note], migrations: [] });
    await db.query('create table notes (text text not null unique, position serial)');
    await db.close();
  },
});
let db: Database;
const write = async (text: string): Promise<void> => void (await db.query('insert into notes (text) values (?)', [text]));
const notes = async (): Promise<string[]> => (await db.query<{ text: string }>('select text from notes order by position')).map(({ text }) => text);

beforeAll(() => {
  db = Database.open({ url: database.url, service: 'before-commit', entities: [Note], migrations: [] });
});
afterAll(() => db.close());
beforeEach(() => db.query('delete from notes'));

describe('beforeCommit', () => {
  it('needs a transaction', () => {
    expect(() => db.beforeCommit(() => Promise.resolve())).toThrow('no transaction');
  });

  it('runs once, last, in the same transaction: also after what the ORM still has to write', async () => {
    await db.run(async () => {
      await db.run(async () => {
        db.beforeCommit(async () => {
          await write('last');
          db.beforeCommit(() => write('the very last'));
        });
        db.em.persist(db.em.create(Note, { text: 'unwritten' }));
        await write('inner');
      });
      await write('outer');
      expect(await notes()).toEqual(['inner', 'outer']);
    });
    expect(await notes()).toEqual(['inner', 'outer', 'unwritten', 'last', 'the very last']);
  });

  it('does not run when the transaction fails, and undoes it when it fails itself', async () => {
    const failing = async (): Promise<void> => {
      db.beforeCommit(() => write('never'));
      await write('undone');
      throw new Error('changed my mind');
    };
    await expect(db.run(failing)).rejects.toThrow('changed my mind');
    await expect(db.run(async () => {
      await write('undone');
      db.beforeCommit(() => Promise.reject(new Error('no room')));
    })).rejects.toThrow('no room');
    expect(await notes()).toEqual([]);
  });

  it('tells nobody of a commit that it has prevented', async () => {
    const heard: string[] = [];
    await expect(db.run(async () => {
      db.afterCommit(() => heard.push('committed'));
      db.beforeCommit(() => Promise.reject(new Error('no room')));
    })).rejects.toThrow('no room');
    expect(heard).toEqual([]);
  });

  it('keeps parallel transactions apart', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => db.run(async () => {
      db.beforeCommit(() => write(`${name} last`));
      await write(name);
    })));
    const written = await notes();
    for (const name of ['a', 'b', 'c']) expect(written.indexOf(`${name} last`)).toBeGreaterThan(written.indexOf(name));
  });
});
