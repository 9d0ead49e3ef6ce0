import type { Database } from '@satellite/kit/db';
import { DeliveryTable, type Delivery } from '@satellite/kit/jobs';

export type LocalKind = 'product' | 'price' | 'customer' | 'method' | 'subscription' | 'checkout' | 'portal' | 'setup' | 'charge' | 'request';

export interface LocalObject<Data> {
  readonly id: string;
  readonly customerId: string | null;
  readonly data: Data;
}

/** An event that our webhook has not taken yet. */
export interface LocalEvent extends Delivery {
  readonly event: object;
}

/** The books of the local processor: objects by id, in one table. They belong to customers, not to organizations. */
export class LocalStore {
  readonly events: DeliveryTable<LocalEvent>;

  constructor(private readonly db: Database) {
    this.events = new DeliveryTable(db, { table: 'local_payment_events', columns: 'event', orderBy: 'seq' });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.db.run(work);
  }

  async addEvent(id: string, event: object): Promise<void> {
    await this.db.query('insert into local_payment_events (id, event) values (?, ?::jsonb)', [id, JSON.stringify(event)]);
    this.events.added();
  }

  async get<Data>(kind: LocalKind, id: string): Promise<LocalObject<Data> | undefined> {
    if (id.includes('\0')) return undefined;
    const [row] = await this.db.query<LocalObject<Data>>('select id, customer_id as "customerId", data from local_payment_objects where kind = ? and id = ?', [kind, id]);
    return row;
  }

  /** The same, locked until the running transaction ends. */
  async lock<Data>(kind: LocalKind, id: string): Promise<LocalObject<Data> | undefined> {
    if (id.includes('\0')) return undefined;
    const [row] = await this.db.query<LocalObject<Data>>('select id, customer_id as "customerId", data from local_payment_objects where kind = ? and id = ? for update', [kind, id]);
    return row;
  }

  /** In the order in which they were made. */
  list<Data>(kind: LocalKind, customerId: string): Promise<LocalObject<Data>[]> {
    return this.db.query<LocalObject<Data>>('select id, customer_id as "customerId", data from local_payment_objects where kind = ? and customer_id = ? order by seq', [kind, customerId]);
  }

  async put(kind: LocalKind, id: string, data: object, { customerId = null, dueAt = null }: { customerId?: string | null; dueAt?: Date | null } = {}): Promise<void> {
    await this.db.query(
      `insert into local_payment_objects (id, kind, customer_id, data, due_at) values (?, ?, ?, ?::jsonb, ?)
       on conflict (id) do update set data = excluded.data, due_at = excluded.due_at`,
      [id, kind, customerId, JSON.stringify(data), dueAt],
    );
  }

  async remove(kind: LocalKind, id: string): Promise<void> {
    await this.db.query('delete from local_payment_objects where kind = ? and id = ?', [kind, id]);
  }

  /** Makes requests with one key take turns until the running transaction ends. */
  async takeTurns(key: string): Promise<void> {
    await this.db.query('select pg_advisory_xact_lock(hashtextextended(?, 7))', [key]);
  }

  /** Takes what is due, oldest first; nobody else gets it for `seconds`. */
  claimDue<Data>(kind: LocalKind, seconds: number, limit: number): Promise<LocalObject<Data>[]> {
    return this.db.query<LocalObject<Data>>(
      `with due as (select id from local_payment_objects where kind = ? and due_at <= now() order by seq limit ? for update skip locked),
            claimed as (update local_payment_objects o set due_at = now() + make_interval(secs => ?) from due where o.id = due.id returning o.id, o.customer_id, o.data, o.seq)
       select id, customer_id as "customerId", data from claimed order by seq`,
      [kind, limit, seconds],
    );
  }
}
