import type { Database } from '../db/index.js';
import type { Job } from './job.js';

/** Rows that may go. SQL of the program, never of a request. */
export interface Sweep {
  readonly table: string;
  /** Which of them, for example `expires_at <= now()`. */
  readonly where: string;
}

export interface SweepJobOptions {
  readonly name: string;
  readonly schedule: string;
  readonly db: Database;
  readonly sweeps: readonly Sweep[];
}

/** Rows of one statement: few enough that nobody waits long for a lock, and that nothing is lost when a process stops. */
const BATCH = 5000;

/** A job that removes what has run out, table by table; one that fails does not keep the others. */
export function sweepJob({ name, schedule, db, sweeps }: SweepJobOptions): Job {
  return {
    name,
    schedule,
    run: async ({ signal }) => {
      let removed = 0;
      const errors: unknown[] = [];
      for (const sweep of sweeps) {
        try {
          removed += await swept(db, sweep, signal);
        } catch (error) {
          errors.push(new Error(`${sweep.table} could not be swept`, { cause: error }));
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
      return removed;
    },
  };
}

async function swept(db: Database, { table, where }: Sweep, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (let last = BATCH; last === BATCH && !signal.aborted; removed += last) {
    last = (await db.query(`delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH} for update skip locked)) returning 1`)).length;
  }
  return removed;
}
