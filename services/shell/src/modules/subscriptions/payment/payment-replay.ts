import type { Database } from '@satellite/kit/db';
import { snapshot, SYSTEM, type AuditActor, type AuditTrail } from '../../audit/index.js';
import { PaymentEventsRepository } from './payment-events.repository.js';

export interface Replay {
  /** Events that had been given up, with the reason. */
  readonly dead: readonly { readonly id: string; readonly type: string; readonly error: string | null }[];
  /** Ids of those that take effect again. */
  readonly replayed: readonly string[];
}

export interface ReplayParts {
  readonly db: Database;
  readonly audit: AuditTrail;
  readonly events: PaymentEventsRepository;
}

/** Lets events take effect again, the named one or all that were given up, and says so in the audit trail. Answers their ids. */
export function replayed({ db, audit, events }: ReplayParts, id: string | undefined, actor?: AuditActor): Promise<readonly string[]> {
  return db.run(async () => {
    const ids = await events.replay(id);
    for (const event of ids) await audit.record({ action: 'payments.replay', organizationId: null, target: { type: 'payment_event', id: event }, after: snapshot('payment_event', { status: 'pending' }), ...(actor && { actor }) });
    return ids;
  });
}

/** The same for whoever has a shell beside the Shell. */
export async function replayPaymentEvents({ db, audit }: Omit<ReplayParts, 'events'>, id: string | undefined): Promise<Replay> {
  const events = new PaymentEventsRepository(db);
  const dead = await events.dead();
  return { dead, replayed: await replayed({ db, audit, events }, id, { ...SYSTEM, id: 'command' }) };
}
