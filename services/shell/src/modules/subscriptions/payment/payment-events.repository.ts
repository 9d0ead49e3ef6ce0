import type { ListQuery, Page } from '@satellite/kit/core';
import { findPage, type Database } from '@satellite/kit/db';
import { DeliveryTable, type Delivery } from '@satellite/kit/jobs';
import { PaymentEvent } from './payment-event.entity.js';
import type { ProcessorEvent } from './processor.js';

/** An event that is to take effect. */
export interface StoredEvent extends Delivery {
  readonly type: string;
  readonly subscriptionId: string | null;
}

/** Events of the processor, each stored once. */
export class PaymentEventsRepository {
  /** Effects ask for the present state, so no order of events matters. */
  readonly table: DeliveryTable<StoredEvent>;

  constructor(private readonly db: Database) {
    this.table = new DeliveryTable(db, { table: 'payment_events', columns: 'type, subscription_id as "subscriptionId"', orderBy: 'received_at', whenDone: 'processed_at = now()' });
  }

  /** Says whether the event is new. */
  async add(processor: string, { id, type, created, subscriptionId, payload }: ProcessorEvent): Promise<boolean> {
    const stored = await this.db.query(
      `insert into payment_events (id, processor, type, subscription_id, created_at, payload, next_attempt_at, received_at) values (?, ?, ?, ?, ?, ?::jsonb, now(), now()) on conflict (id) do nothing returning id`,
      [id, processor, type, subscriptionId ?? null, created, JSON.stringify(payload)],
    );
    return stored.length > 0;
  }

  page(query: ListQuery): Promise<Page<PaymentEvent>> {
    return findPage(this.db.em, PaymentEvent, query, {}, 'id');
  }

  /** As it is now, whatever this transaction has seen before. */
  async find(id: string): Promise<PaymentEvent | undefined> {
    return (await this.db.em.findOne(PaymentEvent, { id }, { refresh: true })) ?? undefined;
  }

  /** Lets events take effect again: the named one, or all that were given up. Answers their ids. */
  replay(id: string | undefined): Promise<string[]> {
    return this.table.replay(id);
  }

  /** Those that were given up, with the reason. */
  dead(): Promise<{ id: string; type: string; error: string | null }[]> {
    return this.db.query(`select id, type, last_error as error from payment_events where status = 'dead' order by received_at`);
  }
}
