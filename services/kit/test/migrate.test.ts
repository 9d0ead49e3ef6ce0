import { defineEntity, p } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { Database, ensureDatabase, untilDatabaseAnswers } from '@satellite/kit/db';
import { migrateService } from '@satellite/kit/service';
import { emptyDatabase, freePorts, type TestDatabase } from '@satellite/kit/testing';

class Notes extends Migration {
  override up(): void {
    this.addSql('create table notes (text text not null)');
  }
}

/** The ORM wants one. */
const Note = defineEntity({ name: 'MigratedNote', tableName: 'notes', properties: { text: p.text().primary() } });

const openDatabase = (url: string): Database => Database.open({ url, service: 'notes', entities: [Note], migrations: [Notes] });

async function rows(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the command migrate', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await emptyDatabase('migrated');
  });
  afterEach(() => database.drop());

  const server = (): string => Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
  const migrate = (environment: Record<string, string>): Promise<void> => migrateService({ name: 'notes', openDatabase, environment: { APP_ENV_LOG_LEVEL: 'silent', ...environment } });

  it('says what it lacks, and takes nothing but the address of the database', async () => {
    await expect(migrate({})).rejects.toThrow('DATABASE_URL');
    await migrate({ DATABASE_URL: database.url });
    expect(await rows(database.url, 'select * from notes')).toEqual([]);
  });

  it('gives up when nobody answers for so long, and at once when there is no such database', async () => {
    const [port] = await freePorts(1);
    await expect(untilDatabaseAnswers(`postgresql://nobody@127.0.0.1:${port}/none`, { limitMs: 200, pauseMs: 50 })).rejects.toThrow('ECONNREFUSED');
    const missing = new URL(database.url);
    missing.pathname = '/there_is_none';
    await expect(migrate({ DATABASE_URL: missing.href })).rejects.toThrow('there_is_none');
  });

  it('runs once although several start together', async () => {
    await Promise.all([1, 2, 3].map(() => migrate({ DATABASE_URL: database.url })));
    expect(await rows(database.url, 'select name from migrations')).toHaveLength(1);
  });

  it('makes the database and its role where it is given somebody who may, and gives the role a new password', async () => {
    const name = `made_${database.name.slice(-8)}`;
    const wanted = (password: string): string => Object.assign(new URL(server()), { pathname: `/${name}`, username: name, password }).href;
    const admin = { DATABASE_ADMIN_URL: server() };
    try {
      await Promise.all([1, 2].map(() => migrate({ ...admin, DATABASE_URL: wanted("it's one") })));
      await migrate({ ...admin, DATABASE_URL: wanted('another') });
      expect(await rows(wanted('another'), 'select current_user as user')).toEqual([{ user: name }]);
    } finally {
      await rows(server(), `drop database if exists ${name} with (force)`);
      await rows(server(), `drop role if exists ${name}`);
    }
  });

  it('refuses names that are none', async () => {
    await expect(ensureDatabase(server(), { database: 'a"b', role: 'a' })).rejects.toThrow('Not a name');
  });
});
