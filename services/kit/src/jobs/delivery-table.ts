import type { Database } from '../db/index.js';

/**
 * Columns of a table whose rows are to be delivered; a service's migration writes them into its own table, with an
 * index on `next_attempt_at where status = 'pending'`. `done` and `dead` rows stay until somebody removes them.
 */
export const DELIVERY_COLUMNS = `
  status text not null default 'pending' check (status in ('pending', 'done', 'dead')),
  attempts int not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  last_error varchar(500)`;

/** One thing to deliver. */
export interface Delivery {
  readonly id: string;
  /** How often it has been tried, this time included. */
  readonly attempts: number;
}

/** Where the rows are. All of this is SQL of the program, never of a request. */
export interface DeliveryTableOptions {
  readonly table: string;
  /** What a delivery needs to know beside `id` and `attempts`: `recipient, body as "text"`. */
  readonly columns: string;
  /** Oldest first. */
  readonly orderBy: string;
  /** Column whose equal values are delivered strictly one after the other; without it order is only likely. */
  readonly inOrderOf?: string;
  /** Further assignments when a row is done or given up, for example `body = ''`. */
  readonly whenDone?: string;
  readonly whenDead?: string;
}

/** Rows that leave by being delivered: written in the transaction that gives the reason, taken by one process at a time. */
export class DeliveryTable<Item extends Delivery> {
  private listeners: (() => void)[] = [];

  constructor(
    private readonly db: Database,
    private readonly options: DeliveryTableOptions,
  ) {}

  /** Calls `listener` when rows have been committed. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** To be called in the transaction that adds rows, so that they are delivered right after its commit. */
  added(): void {
    this.db.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  /** Takes what is due, at most `limit`, or only the named row; nobody else gets it for `leaseSeconds`, which is longer than a delivery may take. */
  claim(limit: number, leaseSeconds: number, id?: string): Promise<Item[]> {
    const { table, columns, orderBy, inOrderOf } = this.options;
    const first = inOrderOf === undefined ? '' : `and not exists (select from ${table} e where e.${inOrderOf} = d.${inOrderOf} and e.status = 'pending' and (e.${orderBy}, e.id) < (d.${orderBy}, d.id))`;
    return this.db.query<Item>(
      `with due as (select id from ${table} d where status = 'pending' and next_attempt_at <= now() and (?::text is null or id::text = ?) ${first} order by ${orderBy} limit ? for update skip locked),
            claimed as (update ${table} t set attempts = attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ?) from due where t.id = due.id returning t.*)
       select id, attempts, ${columns} from claimed order by ${orderBy}`,
      [id ?? null, id ?? null, limit, leaseSeconds],
    );
  }

  async done(id: string): Promise<void> {
    const { table, whenDone } = this.options;
    await this.db.query(`update ${table} set status = 'done', last_error = null ${assignments(whenDone)} where id = ?`, [id]);
  }

  async retry(id: string, error: string, seconds: number): Promise<void> {
    await this.db.query(`update ${this.options.table} set last_error = ?, next_attempt_at = clock_timestamp() + make_interval(secs => ?) where id = ?`, [error, seconds, id]);
  }

  async dead(id: string, error: string): Promise<void> {
    const { table, whenDead } = this.options;
    await this.db.query(`update ${table} set status = 'dead', last_error = ? ${assignments(whenDead)} where id = ?`, [error, id]);
  }

  /** Lets rows be delivered again: the named one, or all that were given up. Answers their ids. */
  replay(id?: string): Promise<string[]> {
    return this.db.run(async () => {
      const rows = await this.db.query<{ id: string }>(
        `update ${this.options.table} set status = 'pending', attempts = 0, next_attempt_at = now() where case when ?::text is null then status = 'dead' else id::text = ? end returning id`,
        [id ?? null, id ?? null],
      );
      if (rows.length > 0) this.added();
      return rows.map((row) => row.id);
    });
  }
}

const assignments = (sql: string | undefined): string => (sql === undefined ? '' : `, ${sql}`);
