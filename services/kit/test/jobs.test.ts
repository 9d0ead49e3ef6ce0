import { defineEntity, p } from '@mikro-orm/core';
import { Database } from '@satellite/kit/db';
import { JobIsRunning, JobNotFound, SCHEDULED_JOBS_TABLE, Scheduler, type Job } from '@satellite/kit/jobs';
import { createMetrics, type Logger, type Registry } from '@satellite/kit/telemetry';
import { eventually, useDatabase } from '@satellite/kit/testing';

/** The ORM wants one. */
const Note = defineEntity({ name: 'JobNote', tableName: 'job_notes', properties: { text: p.text().primary() } });
const EVERY_SECOND = '* * * * * *';
/** Never while a test runs: its jobs are run by hand. */
const NEVER = '0 0 29 2 *';
const PATIENCE = 15_000;

const open = (url: string): Database => Database.open({ url, service: `jobs-${Math.random()}`, entities: [Note], migrations: [] });
const database = useDatabase({
  name: 'jobs',
  migrate: async (url) => {
    const db = open(url);
    await db.query(SCHEDULED_JOBS_TABLE);
    await db.close();
  },
});
let db: Database;
const running: Scheduler[] = [];
beforeAll(() => {
  db = open(database.url);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((scheduler) => scheduler.stop()));
  await db.query('delete from scheduled_jobs');
});
afterAll(() => db.close());

function logger(lines: string[] = []): Logger {
  const line = (_facts: unknown, text?: string): void => void lines.push(text ?? '');
  return { trace: line, debug: line, info: line, warn: line, error: line, fatal: line, child: () => logger(lines) } as unknown as Logger;
}

interface Process {
  readonly scheduler: Scheduler;
  readonly metrics: Registry;
  readonly lines: string[];
}

/** What one of several processes has. */
async function process(jobs: readonly Job[], over: { db?: Database; leaseSeconds?: number } = {}): Promise<Process> {
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  const lines: string[] = [];
  const scheduler = new Scheduler({ db, metrics, logger: logger(lines), jobs, ...over });
  running.push(scheduler);
  await scheduler.start();
  return { scheduler, metrics, lines };
}

/** A job that ends when the test says so. */
function gate(name: string, schedule = NEVER): { job: Job; begun: () => number; open: () => void; aborted: () => boolean } {
  let [begun, aborted] = [0, false];
  let release: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (release = resolve));
  const job: Job = {
    name,
    schedule,
    run: async ({ signal }) => {
      begun += 1;
      signal.addEventListener('abort', () => {
        aborted = true;
        release();
      });
      await opened;
      return 3;
    },
  };
  return { job, begun: () => begun, open: () => release(), aborted: () => aborted };
}

describe('a scheduled job', () => {
  it.each([{ name: 'no spaces please', schedule: NEVER }, { name: 'fine', schedule: '61 * * * *' }, { name: 'fine', schedule: '' }])('is refused as %j', (given) => {
    expect(() => new Scheduler({ db, metrics: createMetrics({ service: 'test', processMetrics: false }), logger: logger(), jobs: [{ ...given, run: () => Promise.resolve(0) }] })).toThrow(given.name);
  });

  it('runs once a slot, however many processes there are', async () => {
    const slots: string[] = [];
    const job: Job = { name: 'tick', schedule: EVERY_SECOND, run: ({ slot }) => Promise.resolve(slots.push(slot.toISOString())) };
    const others = [open(database.url), open(database.url)];
    for (const other of [db, ...others]) await process([job], { db: other });
    await eventually(() => slots.length >= 4, PATIENCE, 'four slots');
    await Promise.all(running.splice(0).map((scheduler) => scheduler.stop()));
    await Promise.all(others.map((other) => other.close()));
    expect(new Set(slots).size).toBe(slots.length);
  });

  it('goes on after it failed, and says so', async () => {
    let runs = 0;
    const job: Job = {
      name: 'shaky',
      schedule: EVERY_SECOND,
      run: () => {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error('no luck')) : Promise.resolve(7);
      },
    };
    const { metrics, lines } = await process([job]);
    await eventually(async () => (await db.query(`select from scheduled_jobs where name = 'shaky' and last_error = 'no luck' and succeeded_at is null`)).length === 1 || runs > 1, PATIENCE, 'the first run');
    await eventually(async () => (await db.query(`select from scheduled_jobs where name = 'shaky' and last_error is null and succeeded_at is not null`)).length === 1, PATIENCE, 'the second run');
    expect(lines).toContain('a scheduled job did not end well; its next slot tries again');
    const text = await metrics.metrics();
    expect(text).toMatch(/job_failures_total\{job="shaky",service="test"\} 1\n/);
    expect(text).toMatch(/job_rows_total\{job="shaky",service="test"\} [1-9]/);
    expect(text).toMatch(/job_last_success_timestamp_seconds\{job="shaky",service="test"\} 1[\d.]+/);
    expect(text).toMatch(/job_duration_seconds_count\{service="test",job="shaky"\} [2-9]/);
  });

  it('does not run twice at a time: the slot is skipped while the run before goes on', async () => {
    const slow = gate('slow', EVERY_SECOND);
    const [one, two] = [await process([slow.job], { leaseSeconds: 4 }), await process([slow.job], { leaseSeconds: 4 })]; // no machine is so slow that it could not renew
    await eventually(() => [...one.lines, ...two.lines].includes('the run before has not ended; this slot is skipped'), PATIENCE, 'a skipped slot');
    expect(slow.begun()).toBe(1);
    expect(slow.aborted()).toBe(false);
    slow.open();
    await eventually(() => slow.begun() > 1, PATIENCE, 'the next run');
  }, 60_000);

  it('is taken over in the next slot when its process died', async () => {
    await db.query(`insert into scheduled_jobs (name, slot, run_id, lease_until, started_at) values ('orphan', now() - interval '5 seconds', gen_random_uuid(), now() + interval '1 second', now())`);
    let slot: Date | undefined;
    await process([{ name: 'orphan', schedule: EVERY_SECOND, run: (context) => Promise.resolve(((slot ??= context.slot), 0)) }]);
    await eventually(() => slot !== undefined, PATIENCE, 'the take-over');
  });

  it('is asked to end when another process has taken it over', async () => {
    const slow = gate('contested');
    const { scheduler } = await process([slow.job], { leaseSeconds: 1 });
    const run = scheduler.run('contested');
    await eventually(() => slow.begun() === 1, PATIENCE, 'the run');
    await db.query(`update scheduled_jobs set run_id = gen_random_uuid() where name = 'contested'`);
    await eventually(() => slow.aborted(), PATIENCE, 'the end');
    await run;
  });

  it('that was missed while no process was there is run at the start, once', async () => {
    const runs: string[] = [];
    const daily = (name: string): Job => ({ name, schedule: '0 3 * * *', run: () => Promise.resolve(runs.push(name)) });
    await db.query(`insert into scheduled_jobs (name, slot, succeeded_at) values ('missed', now() - interval '25 hours', now() - interval '25 hours'), ('recent', now() - interval '23 hours', null)`);
    const processes = await Promise.all([1, 2, 3].map(() => process(['missed', 'recent', 'new'].map(daily))));
    await eventually(async () => (await db.query(`select from scheduled_jobs where name = 'missed' and finished_at is not null`)).length === 1, PATIENCE, 'the missed run');
    await Promise.all(processes.map(({ scheduler }) => scheduler.stop()));
    expect(runs).toEqual(['missed']);
    expect(await processes[0]?.metrics.metrics()).toMatch(/job_last_success_timestamp_seconds\{job="missed"/);
  });
});

describe('a job that is run by hand', () => {
  it('runs once at a time in all processes', async () => {
    const slow = gate('by-hand');
    const [one, two] = [await process([slow.job]), await process([slow.job])];
    const run = one.scheduler.run('by-hand');
    await eventually(() => slow.begun() === 1, PATIENCE, 'the run');
    await expect(two.scheduler.run('by-hand')).rejects.toThrow(JobIsRunning);
    await expect(one.scheduler.run('by-hand')).rejects.toThrow(JobIsRunning);
    slow.open();
    await expect(run).resolves.toBe(3);
    await expect(two.scheduler.run('by-hand')).resolves.toBe(3);
    await expect(one.scheduler.run('by-foot')).rejects.toThrow(JobNotFound);
  });

  it('says why it failed', async () => {
    const { scheduler } = await process([{ name: 'broken', schedule: NEVER, run: () => Promise.reject(new Error('out of order')) }]);
    await expect(scheduler.run('broken')).rejects.toThrow('out of order');
    expect(await db.query(`select last_error as error, run_id as "runId" from scheduled_jobs where name = 'broken'`)).toEqual([{ error: 'out of order', runId: null }]);
  });

  it('ends with the process', async () => {
    const slow = gate('long');
    const { scheduler } = await process([slow.job]);
    const run = scheduler.run('long');
    await eventually(() => slow.begun() === 1, PATIENCE, 'the run');
    await scheduler.stop();
    expect(slow.aborted()).toBe(true);
    await run;
    expect(await db.query(`select from scheduled_jobs where name = 'long' and run_id is null`)).toHaveLength(1);
    await expect(scheduler.run('long')).rejects.toThrow('stopped');
  });
});

describe('a process whose database is away', () => {
  it('starts, says so, and stops', async () => {
    const away = open('postgresql://nobody@127.0.0.1:9/nothing');
    let runs = 0;
    const { scheduler, lines } = await process([{ name: 'tick', schedule: EVERY_SECOND, run: () => Promise.resolve((runs += 1)) }], { db: away });
    await eventually(() => lines.includes('a scheduled job did not end well; its next slot tries again'), PATIENCE, 'a word about it');
    await scheduler.stop();
    await away.close();
    expect(runs).toBe(0);
  });
});
