import { AsyncLocalStorage } from 'node:async_hooks';
import type { Constructor, EntitySchema } from '@mikro-orm/core';
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { Migrator, type Migration } from '@mikro-orm/migrations';
import type { Logger } from '../telemetry/index.js';

export interface DatabaseOptions {
  /** `postgresql://…`; a folder as host (`?host=/run/pg`) means a unix socket. */
  readonly url: string;
  /** Name of the owning service; two services in one process must not share it. */
  readonly service: string;
  readonly entities: readonly EntitySchema[];
  /** In the order in which they run. */
  readonly migrations: readonly Constructor<Migration>[];
  /** Most connections of this process (default 10). */
  readonly maxConnections?: number;
  readonly logger?: Logger;
}

const numberedStatements = new Map<string, string>();

/** `?` to PostgreSQL's `$1`; statements are constants, so each is translated once. */
function numbered(sql: string): string {
  let text = numberedStatements.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replace(/\?/g, () => `$${(count += 1)}`);
    numberedStatements.set(sql, text);
  }
  return text;
}

interface Transaction {
  readonly em: EntityManager;
  /** Run before the commit. */
  readonly last: (() => Promise<void>)[];
  readonly callbacks: (() => void)[];
}

/** Key of the advisory lock under which migrations run; any constant works, it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_316_001;

/**
 * One PostgreSQL database. `run` is the only way to a transaction; inside it every `em` and `query` of the same
 * Database belongs to that transaction, so no transaction parameter exists anywhere.
 */
export class Database {
  private readonly current = new AsyncLocalStorage<Transaction>();

  private constructor(
    private readonly orm: MikroORM,
    private readonly logger: Logger | undefined,
  ) {}

  /** Opens the pool; the first query connects. */
  static open(options: DatabaseOptions): Database {
    const orm = new MikroORM({
      clientUrl: options.url,
      contextName: options.service,
      entities: [...options.entities],
      extensions: [Migrator],
      migrations: { migrationsList: [...options.migrations], snapshot: false, tableName: 'migrations', transactional: true, allOrNothing: true },
      pool: { min: 0, max: options.maxConnections ?? 10 },
      logger: (message) => options.logger?.debug({ orm: message }, 'orm'),
      ensureDatabase: false,
    });
    return new Database(orm, options.logger);
  }

  /** The entity manager of the running transaction, else a fresh one with an empty identity map. */
  get em(): EntityManager {
    return this.current.getStore()?.em ?? this.orm.em.fork();
  }

  /** Runs `work` in a transaction; inside a running one it joins that. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    const last: (() => Promise<void>)[] = [];
    const callbacks: (() => void)[] = [];
    const result = await this.orm.em.fork().transactional((em) =>
      this.current.run({ em, last, callbacks }, async () => {
        const answer = await work();
        if (last.length > 0) await em.flush();
        for (const statement of last) await statement(); // also those that are added meanwhile
        return answer;
      }),
    );
    for (const callback of callbacks) this.called(callback);
    return result;
  }

  /**
   * For work that others have handed over: what the answer is given runs in the transaction that runs now, and keeps
   * everything else of the context in which it is called.
   */
  carrier(): <T>(work: () => Promise<T>) => Promise<T> {
    const transaction = this.current.getStore();
    if (transaction === undefined) throw new Error('there is no transaction that could be joined');
    return (work) => this.current.run(transaction, work);
  }

  /** Runs reads that all see the same moment, whatever is written meanwhile; nothing can be written in it. Not inside a transaction. */
  snapshot<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) throw new Error('the running transaction has a moment of its own');
    return this.run(async () => {
      await this.query('set transaction isolation level repeatable read, read only');
      return work();
    });
  }

  /**
   * Does `work` as the last thing before the running transaction commits: after everything the outermost `run` does,
   * so that locks which everybody wants are held for the commit only. What it throws undoes the transaction.
   */
  beforeCommit(work: () => Promise<void>): void {
    const transaction = this.current.getStore();
    if (transaction === undefined) throw new Error('there is no transaction that could be committed');
    transaction.last.push(work);
  }

  /**
   * Calls back once what the running transaction writes can be seen by others: after the commit of the outermost
   * `run`, never after a rollback; at once outside of a transaction. Nobody waits for it and what it throws is
   * logged, so it can carry hints, nothing that must not be lost (an outbox row can).
   */
  afterCommit(callback: () => void): void {
    const transaction = this.current.getStore();
    if (transaction) transaction.callbacks.push(callback);
    else this.called(callback);
  }

  private called(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.logger?.warn({ err: error }, 'a callback after a commit failed');
    }
  }

  /** One constant SQL statement with `?` for each value (and no other `?` in it), in the running transaction if there is one. Timestamps and bigints come as text. */
  async query<Row extends object>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const em = this.current.getStore()?.em ?? this.orm.em;
    // straight to the driver: the ORM's own execute writes values into the text, arrays as lists
    const executor = (em.getTransactionContext<Kysely<unknown>>() ?? em.getConnection().getClient()) as Kysely<unknown>;
    const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(numbered(sql), [...params]));
    return rows;
  }

  /** Brings the schema up to date; replicas that start together wait for each other under an advisory lock. */
  async migrate(): Promise<void> {
    const connection = this.orm.em.getConnection();
    await connection.transactional(async (trx) => {
      await connection.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK], 'all', trx);
      await this.orm.migrator.up({ transaction: trx });
    });
  }

  /** SQL that would make the schema equal the entities; empty when they agree. */
  schemaDifference(): Promise<string> {
    return this.orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false });
  }

  /** True when the database answers. */
  async isUp(): Promise<boolean> {
    return this.query('select 1').then(() => true, () => false);
  }

  close(): Promise<void> {
    return this.orm.close(true);
  }
}
