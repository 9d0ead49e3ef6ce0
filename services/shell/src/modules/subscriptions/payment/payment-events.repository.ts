import type { Database } from '@satellite/kit/db';
import type { ProcessorEvent } from './processor.js';

/** An event that is to take effect. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string | null;
  readonly attempts: number;
}

const CLAIM = `
with due as (select id from payment_events where status = 'pending' and next_attempt_at <= now() and (?::text is null or id = ?) order by created_at, received_at limit 50 for update skip locked)
update payment_events e set attempts = attempts + 1, next_attempt_at = now() + interval '1 minute' from due where e.id = due.id
returning e.id, e.type, e.subscription_id as "subscriptionId", e.attempts`;

/** Events of the processor, each stored once. */
export class PaymentEventsRepository {
  constructor(private readonly db: Database) {}

  /** Says whether the event is new. */
  async add(processor: string, { id, type, created, subscriptionId, payload }: ProcessorEvent): Promise<boolean> {
    const stored = await this.db.query(
      `insert into payment_events (id, processor, type, subscription_id, created_at, payload, next_attempt_at, received_at) values (?, ?, ?, ?, ?, ?::jsonb, now(), now()) on conflict (id) do nothing returning id`,
      [id, processor, type, subscriptionId ?? null, created, JSON.stringify(payload)],
    );
    return stored.length > 0;
  }

  /** Takes what is due, or only the one; nobody else gets it for a minute. */
  claim(id: string | null = null): Promise<StoredEvent[]> {
    return this.db.query<StoredEvent>(CLAIM, [id, id]);
  }

  async settle(id: string, status: 'pending' | 'done' | 'dead', error: string | null, retryInSeconds: number): Promise<void> {
    await this.db.query(`update payment_events set status = ?, last_error = ?, next_attempt_at = now() + make_interval(secs => ?), processed_at = case when ? = 'done' then now() end where id = ?`, [status, error, retryInSeconds, status, id]);
  }

  /** Lets events take effect again: the named one, or all that were given up. Answers their ids. */
  async replay(id: string | undefined): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(`update payment_events set status = 'pending', attempts = 0, next_attempt_at = now() where case when ?::text is null then status = 'dead' else id = ? end returning id`, [id ?? null, id ?? null]);
    return rows.map((row) => row.id);
  }

  /** Those that were given up, with the reason. */
  dead(): Promise<{ id: string; type: string; error: string | null }[]> {
    return this.db.query(`select id, type, last_error as error from payment_events where status = 'dead' order by received_at`);
  }
}
