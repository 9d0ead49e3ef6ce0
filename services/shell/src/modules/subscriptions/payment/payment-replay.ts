import type { Database } from '@satellite/kit/db';
import { snapshot, SYSTEM, type AuditTrail } from '../../audit/index.js';
import { PaymentEventsRepository } from './payment-events.repository.js';

export interface Replay {
  /** Events that had been given up, with the reason. */
  readonly dead: readonly { readonly id: string; readonly type: string; readonly error: string | null }[];
  /** Ids of those that take effect again. */
  readonly replayed: readonly string[];
}

/** Lets payment events that were given up take effect again: the named one, or all of them. For whoever has a shell beside the Shell. */
export function replayPaymentEvents({ db, audit }: { readonly db: Database; readonly audit: AuditTrail }, id: string | undefined): Promise<Replay> {
  const events = new PaymentEventsRepository(db);
  return db.run(async () => {
    const dead = await events.dead();
    const replayed = await events.replay(id);
    for (const event of replayed) await audit.record({ action: 'payments.replay', actor: { ...SYSTEM, id: 'command' }, organizationId: null, target: { type: 'payment_event', id: event }, after: snapshot('payment_event', { status: 'pending' }) });
    return { dead, replayed };
  });
}
