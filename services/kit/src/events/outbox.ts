import { randomUUID } from 'node:crypto';
import type { Redis } from '../cache/index.js';
import type { Database } from '../db/index.js';
import { DELIVERY_COLUMNS, DeliveryRunner, DeliveryTable, type Delivery } from '../jobs/index.js';
import type { Logger, Registry } from '../telemetry/index.js';

/** The table behind Outbox; a service's migration creates it. Who adds rows by SQL of their own says `added` afterwards. */
export const OUTBOX_TABLE = `
  create table outbox (
    id uuid primary key,
    organization_id uuid not null,
    type varchar(64) not null,
    payload jsonb not null,
    occurred_at timestamptz(3) not null default clock_timestamp(),
    ${DELIVERY_COLUMNS}
  )`;
export const OUTBOX_INDEX = `create index outbox_due_index on outbox (next_attempt_at) where status = 'pending'`;

/** Stream of everything that happened, of all services. */
export const EVENT_STREAM = 'platform:events';
/** Who has been away for longer than this many events looks at the source itself. */
const MAX_EVENTS = 100_000;

/** Something that happened, for services that care. */
export interface DomainEvent {
  /** `<app>.<noun>_<verbed>`, for example `drive.file_deleted`. */
  readonly type: string;
  readonly organizationId: string;
  /** Ids and facts; no personal data and no secret. */
  readonly payload: Readonly<Record<string, unknown>>;
}

interface OutboxRow extends Delivery, DomainEvent {
  readonly occurredAt: string;
}

/** Events leave by a row of the transaction of what they tell, never without it and never twice under another id. */
export class Outbox {
  private readonly table: DeliveryTable<OutboxRow>;

  constructor(private readonly db: Database) {
    this.table = new DeliveryTable(db, { table: 'outbox', columns: 'organization_id as "organizationId", type, payload, occurred_at as "occurredAt"', orderBy: 'occurred_at' });
  }

  /** In the transaction of what happened. */
  async emit({ type, organizationId, payload }: DomainEvent): Promise<void> {
    await this.db.query('insert into outbox (id, organization_id, type, payload) values (?, ?, ?, ?::jsonb)', [randomUUID(), organizationId, type, JSON.stringify(payload)]);
    this.added();
  }

  /** In a transaction that has added rows by itself. */
  added(): void {
    this.table.added();
  }

  /** Forgets what was delivered; answers how many. */
  async forget(): Promise<number> {
    return (await this.db.query(`delete from outbox where status = 'done' and occurred_at < now() - interval '1 day' returning id`)).length;
  }

  /** Puts events into the stream, at least once; readers know them by `id`. */
  runner({ redis, metrics, logger }: { readonly redis: Redis; readonly metrics: Registry; readonly logger: Logger }): DeliveryRunner<OutboxRow> {
    return new DeliveryRunner({
      name: 'outbox',
      table: this.table,
      deliver: async ({ id, type, organizationId, payload, occurredAt }) => {
        await redis.xadd(EVENT_STREAM, 'MAXLEN', '~', MAX_EVENTS, '*', 'id', id, 'type', type, 'organizationId', organizationId, 'occurredAt', new Date(occurredAt).toISOString(), 'payload', JSON.stringify(payload));
      },
      maxAttempts: Infinity, // without the key-value store nothing is lost, only late
      metrics,
      logger,
    });
  }
}
