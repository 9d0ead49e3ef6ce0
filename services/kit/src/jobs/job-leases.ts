import { randomUUID } from 'node:crypto';
import type { Database } from '../db/index.js';

/** The table behind Scheduler, one row a job; a service's migration creates it. */
export const SCHEDULED_JOBS_TABLE = `
  create table scheduled_jobs (
    name varchar(64) primary key,
    slot timestamptz(3) not null,
    run_id uuid,
    lease_until timestamptz(3),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    succeeded_at timestamptz(3),
    last_error varchar(500)
  )`;

/** `mine`: to be run here; `taken`: some process has or had this slot; `busy`: an earlier run has not ended yet. */
export type Claim = { readonly outcome: 'mine'; readonly runId: string } | { readonly outcome: 'taken' } | { readonly outcome: 'busy'; readonly leftMs: number };

const FREE = '(j.run_id is null or j.lease_until < clock_timestamp())';

/**
 * Who runs which job. A slot is taken by moving the row's `slot` forwards, so of any number of processes one gets it,
 * and a run holds a lease that it renews: a process that dies lets go of it without anybody's help. All times are the
 * database's.
 */
export class JobLeases {
  constructor(
    private readonly db: Database,
    private readonly leaseSeconds: number,
  ) {}

  /** Says since when a job that nobody has run yet has been waiting. Answers the last slot and success of each. */
  async known(names: readonly string[]): Promise<{ name: string; slot: Date; succeededAt: Date | null }[]> {
    await this.db.query('insert into scheduled_jobs (name, slot) select name, now() from unnest(?::text[]) as name on conflict (name) do nothing', [[...names]]);
    const rows = await this.db.query<{ name: string; slot: string; succeededAt: string | null }>('select name, slot, succeeded_at as "succeededAt" from scheduled_jobs where name = any(?::text[])', [[...names]]);
    return rows.map(({ name, slot, succeededAt }) => ({ name, slot: new Date(slot), succeededAt: succeededAt === null ? null : new Date(succeededAt) }));
  }

  /** Takes a slot unless one at or after `before` has been taken. */
  async claimSlot(name: string, slot: Date, before: Date = slot): Promise<Claim> {
    const runId = randomUUID();
    const mine = await this.db.query(
      `insert into scheduled_jobs as j (name, slot, run_id, lease_until, started_at) values (?, ?, ?, clock_timestamp() + make_interval(secs => ?), now())
       on conflict (name) do update set slot = excluded.slot, run_id = excluded.run_id, lease_until = clock_timestamp() + make_interval(secs => ?), started_at = now()
       where j.slot < ? and ${FREE} returning name`,
      [name, slot, runId, this.leaseSeconds, this.leaseSeconds, before],
    );
    if (mine.length > 0) return { outcome: 'mine', runId };
    const [row] = await this.db.query<{ taken: boolean; leftMs: string | null }>('select slot >= ? as taken, extract(epoch from lease_until - clock_timestamp()) * 1000 as "leftMs" from scheduled_jobs where name = ?', [before, name]);
    if (row === undefined || row.taken) return { outcome: 'taken' };
    return { outcome: 'busy', leftMs: Math.max(0, Math.ceil(Number(row.leftMs ?? 0))) };
  }

  /** Takes the job outside of its schedule; undefined while it is running. */
  async claimNow(name: string): Promise<string | undefined> {
    const runId = randomUUID();
    const mine = await this.db.query(
      `insert into scheduled_jobs as j (name, slot, run_id, lease_until, started_at) values (?, now(), ?, clock_timestamp() + make_interval(secs => ?), now())
       on conflict (name) do update set run_id = excluded.run_id, lease_until = clock_timestamp() + make_interval(secs => ?), started_at = now()
       where ${FREE} returning name`,
      [name, runId, this.leaseSeconds, this.leaseSeconds],
    );
    return mine.length > 0 ? runId : undefined;
  }

  /** Keeps the job; false when somebody else has it. */
  async renew(name: string, runId: string): Promise<boolean> {
    return (await this.db.query('update scheduled_jobs set lease_until = clock_timestamp() + make_interval(secs => ?) where name = ? and run_id = ? returning name', [this.leaseSeconds, name, runId])).length > 0;
  }

  /** Lets go of the job. */
  async finish(name: string, runId: string, error: string | null): Promise<void> {
    await this.db.query(
      'update scheduled_jobs set run_id = null, lease_until = null, finished_at = now(), succeeded_at = case when ?::text is null then now() else succeeded_at end, last_error = ? where name = ? and run_id = ?',
      [error, error, name, runId],
    );
  }
}
