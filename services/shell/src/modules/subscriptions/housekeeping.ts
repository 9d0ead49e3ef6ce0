import { IDEMPOTENCY_SWEEP } from '@satellite/kit/db';
import type { Sweep } from '@satellite/kit/jobs';

/** What may go, and when. What was given up stays until somebody has looked at it. */
export const SUBSCRIPTION_SWEEPS: readonly Sweep[] = [
  IDEMPOTENCY_SWEEP,
  // a counter of an earlier period counts as none; one that some plan keeps for ever may be old and still be true
  { table: 'usage_counters', where: `window_start > '-infinity' and window_start < date_trunc('month', now(), 'UTC') - interval '1 month' and not exists (select from plan_limits l where l.limit_key = usage_counters.limit_key and l.period = 'total')` },
  { table: 'payment_events', where: `status = 'done' and processed_at < now() - interval '90 days'` },
  { table: 'payment_tasks', where: `status = 'done' and created_at < now() - interval '90 days'` },
  { table: 'local_payment_events', where: `status = 'done' and created_at < now() - interval '7 days'` },
  { table: 'local_payment_objects', where: `kind in ('request', 'checkout', 'portal', 'setup') and created_at < now() - interval '30 days'` },
];
