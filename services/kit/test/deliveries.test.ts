import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Database } from '@satellite/kit/db';
import { DELIVERY_COLUMNS, DeliveryRunner, DeliveryTable, exponentialBackoff, type Delivery, type DeliveryRunnerOptions } from '@satellite/kit/jobs';
import { createLogger, createMetrics } from '@satellite/kit/telemetry';
import { eventually, useDatabase } from '@satellite/kit/testing';

/** The ORM wants one. */
const Note = defineEntity({ name: 'DeliveryNote', tableName: 'delivery_notes', properties: { text: p.text().primary() } });
const PATIENCE = 15_000;
const HOUR = 3_600_000;

interface Letter extends Delivery {
  readonly text: string;
}

const open = (url: string): Database => Database.open({ url, service: `deliveries-${Math.random()}`, entities: [Note], migrations: [] });
const database = useDatabase({
  name: 'deliveries',
  migrate: async (url) => {
    const db = open(url);
    await db.query(`create table letters (id uuid primary key, text text not null, box text not null, sent_at timestamptz, seq bigint not null generated always as identity, ${DELIVERY_COLUMNS})`);
    await db.close();
  },
});
let db: Database;
const running: DeliveryRunner<Letter>[] = [];
beforeAll(() => {
  db = open(database.url);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((runner) => runner.stop()));
  await db.query('delete from letters');
});
afterAll(() => db.close());

const tableOf = (of = db): DeliveryTable<Letter> => new DeliveryTable<Letter>(of, { table: 'letters', columns: 'text', orderBy: 'seq', inOrderOf: 'box', whenDone: `sent_at = now(), text = ''`, whenDead: `text = 'gone'` });

function runnerOf(table: DeliveryTable<Letter>, deliver: (item: Letter, signal: AbortSignal) => Promise<void>, over: Partial<DeliveryRunnerOptions<Letter>> = {}): DeliveryRunner<Letter> {
  const runner = new DeliveryRunner<Letter>({ name: 'letters', table, deliver, metrics: createMetrics({ service: 'test', processMetrics: false }), logger: createLogger({ service: 'test', level: 'silent' }), pollMs: HOUR, ...over });
  running.push(runner);
  return runner;
}

async function post(table: DeliveryTable<Letter>, text: string, box = randomUUID()): Promise<string> {
  const id = randomUUID();
  await db.run(async () => {
    await db.query('insert into letters (id, text, box) values (?, ?, ?)', [id, text, box]);
    table.added();
  });
  return id;
}
const states = async (): Promise<string[]> => (await db.query<{ state: string }>(`select status || ' ' || attempts || ' ' || text as state from letters order by seq`)).map(({ state }) => state);
// a second ago: the column is rounded to milliseconds, which may be a moment ahead
const dueNow = () => db.query(`update letters set next_attempt_at = now() - interval '1 second'`);

describe('deliveries', () => {
  it('begin with the commit, and never without one', async () => {
    const table = tableOf();
    const got: string[] = [];
    runnerOf(table, ({ text }) => Promise.resolve(void got.push(text))).start();
    await expect(db.run(async () => {
      await db.query(`insert into letters (id, text, box) values (gen_random_uuid(), 'never', 'a')`);
      table.added();
      throw new Error('changed my mind');
    })).rejects.toThrow();
    await post(table, 'hello');
    await eventually(async () => (await states()).join() === 'done 1 ', PATIENCE, 'the delivery');
    expect(got).toEqual(['hello']);
    expect(await db.query('select from letters where sent_at is not null')).toHaveLength(1);
  });

  it('are tried again later and later, then given up; a replay brings them back', async () => {
    const table = tableOf();
    let broken = true;
    const runner = runnerOf(table, () => (broken ? Promise.reject(new Error('nobody home')) : Promise.resolve()), { maxAttempts: 2 });
    const id = await post(table, 'hello');
    await runner.drain();
    expect(await states()).toEqual(['pending 1 hello']);
    const [row] = await db.query<{ wait: string; error: string }>('select extract(epoch from next_attempt_at - now()) as wait, last_error as error from letters');
    expect(row?.error).toBe('nobody home');
    expect(Number(row?.wait)).toBeLessThanOrEqual(2);
    await dueNow();
    await runner.drain();
    expect(await states()).toEqual(['dead 2 gone']);
    await dueNow();
    await runner.drain();
    expect(await states()).toEqual(['dead 2 gone']);
    broken = false;
    expect(await table.replay(randomUUID())).toEqual([]);
    expect(await table.replay()).toEqual([id]);
    await eventually(async () => (await states()).join() === 'done 1 ', PATIENCE, 'the delivery');
    expect([1, 2, 5, 30].map(exponentialBackoff)).toEqual([2, 4, 32, 3600]);
  });

  it('happen once however many processes look, and all of them', async () => {
    const got: string[] = [];
    const dbs = [db, open(database.url), open(database.url)];
    const runners = dbs.map((one) => runnerOf(tableOf(one), ({ text }) => Promise.resolve(void got.push(text)), { parallel: 3 }));
    const texts = Array.from({ length: 40 }, (_, n) => String(n));
    for (const text of texts) await db.query('insert into letters (id, text, box) values (gen_random_uuid(), ?, ?)', [text, randomUUID()]);
    await Promise.all(runners.map((runner) => runner.drain()));
    await eventually(async () => (await db.query(`select from letters where status = 'done'`)).length === texts.length, PATIENCE, 'all of them');
    await Promise.all(runners.map((runner) => runner.stop()));
    await Promise.all(dbs.slice(1).map((one) => one.close()));
    expect(got.sort()).toEqual([...texts].sort());
  });

  it('of one box keep their order, also after a failure, and do not hold up other boxes', async () => {
    const table = tableOf();
    const got: string[] = [];
    let broken = true;
    const runner = runnerOf(table, ({ text }) => {
      if (text === 'first' && broken) return Promise.reject(new Error('not yet'));
      return Promise.resolve(void got.push(text));
    }, { parallel: 5 });
    for (const text of ['first', 'second', 'third']) await db.query(`insert into letters (id, text, box) values (gen_random_uuid(), ?, 'one')`, [text]);
    await db.query(`insert into letters (id, text, box) values (gen_random_uuid(), 'other', 'two')`);
    await runner.drain();
    expect(got).toEqual(['other']);
    broken = false;
    await dueNow();
    await runner.drain();
    expect(got).toEqual(['other', 'first', 'second', 'third']);
  });

  it('that hang count as failed, and go to nobody else meanwhile', async () => {
    const table = tableOf();
    let aborted = false;
    const runner = runnerOf(table, (_item, signal) => new Promise<void>(() => signal.addEventListener('abort', () => (aborted = true))), { timeoutMs: 300 });
    const other = runnerOf(tableOf(), () => Promise.reject(new Error('the row was taken twice')));
    await db.query(`insert into letters (id, text, box) values (gen_random_uuid(), 'hello', 'one')`);
    const round = runner.drain();
    await eventually(async () => (await states()).join() === 'pending 1 hello', PATIENCE, 'the attempt');
    await other.drain();
    await round;
    expect(aborted).toBe(true);
    expect(await db.query<{ error: string }>('select last_error as error from letters')).toEqual([{ error: 'no answer within 300 ms' }]);
  });

  it('are waited for when the process stops', async () => {
    const table = tableOf();
    let finish: () => void = () => undefined;
    let begun = false;
    const runner = runnerOf(table, () => new Promise<void>((resolve) => ((begun = true), (finish = resolve))));
    runner.start();
    await post(table, 'hello');
    await post(table, 'later');
    await eventually(() => begun, PATIENCE, 'the delivery');
    const stopped = runner.stop();
    finish();
    await stopped;
    expect(await states()).toEqual(['done 1 ', 'pending 0 later']);
  });

  it('wait while the database is away', async () => {
    const away = open('postgresql://nobody@127.0.0.1:9/nothing');
    const runner = runnerOf(tableOf(away), () => Promise.resolve());
    await runner.drain();
    runner.start();
    await runner.stop();
    await away.close();
  });

  it('are counted', async () => {
    const table = tableOf();
    const metrics = createMetrics({ service: 'test', processMetrics: false });
    const runner = runnerOf(table, ({ attempts }) => (attempts === 1 ? Promise.reject(new Error('once more')) : Promise.resolve()), { metrics });
    runnerOf(tableOf(), () => Promise.resolve(), { metrics, name: 'others' });
    await post(table, 'hello');
    await runner.drain();
    await dueNow();
    await runner.drain();
    const text = await metrics.metrics();
    expect(text).toContain('deliveries_total{queue="letters",outcome="done",service="test"} 1');
    expect(text).toContain('deliveries_total{queue="letters",outcome="retried",service="test"} 1');
    expect(text).toContain('deliveries_total{queue="others",outcome="dead",service="test"} 0');
  });
});
