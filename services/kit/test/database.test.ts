import pg from 'pg';
import { cloneDatabase, emptyDatabase, useDatabase, type DatabaseTemplate } from '@satellite/kit/testing';

let migrations = 0;
const notes: DatabaseTemplate = {
  name: 'notes',
  migrate: async (url) => {
    migrations += 1;
    await run(url, "create table notes (text text not null); insert into notes values ('seed')");
  },
};

async function run(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<{ text: string }>(sql);
    return (Array.isArray(result) ? [] : result.rows).map((row) => row.text);
  } finally {
    await client.end();
  }
}

describe('databases of tests', () => {
  const mine = useDatabase(notes);

  it('start from the migrated template', async () => {
    expect(await run(mine.url, 'select text from notes')).toEqual(['seed']);
  });

  it('do not see each other, and the template is migrated once', async () => {
    const others = await Promise.all([cloneDatabase(notes), cloneDatabase(notes), cloneDatabase(notes)]);
    await Promise.all(others.map((other, index) => run(other.url, `insert into notes values ('${index}')`)));
    expect(await Promise.all(others.map((other) => run(other.url, 'select text from notes order by text')))).toEqual([['0', 'seed'], ['1', 'seed'], ['2', 'seed']]);
    expect(await run(mine.url, 'select text from notes')).toEqual(['seed']);
    expect(migrations).toBe(1);
    await Promise.all(others.map((other) => other.drop()));
  });

  it('are dropped although somebody is still connected', async () => {
    const doomed = await emptyDatabase('doomed');
    const client = new pg.Client({ connectionString: doomed.url });
    client.on('error', () => undefined);
    await client.connect();
    await doomed.drop();
    await expect(client.query('select 1')).rejects.toThrow();
    await client.end().catch(() => undefined);
  });

  it('try a failed migration again and never hand out half of it', async () => {
    let attempt = 0;
    const shaky: DatabaseTemplate = {
      name: 'shaky',
      migrate: async (url) => {
        await run(url, 'create table half (text text)');
        attempt += 1;
        if (attempt === 1) throw new Error('lost the connection');
      },
    };
    await expect(cloneDatabase(shaky)).rejects.toThrow('lost the connection');
    const second = await cloneDatabase(shaky);
    expect(await run(second.url, 'select text from half')).toEqual([]);
    await second.drop();
  });

  it('may have trusted extensions, and superuser rights only if somebody gave us such a server', async () => {
    await run(mine.url, 'create extension pg_trgm; create extension unaccent');
    expect(await run(mine.url, "select rolsuper::text as text from pg_roles where rolname = current_user and rolname = 'tests'")).not.toContain('true');
  });
});
