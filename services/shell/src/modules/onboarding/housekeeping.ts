import type { Sweep } from '@satellite/kit/jobs';

/** Data of people who did not become customers: strangers write these rows, so none stays for ever. */
export const ONBOARDING_SWEEPS: readonly Sweep[] = [
  { table: 'onboarding_requests', where: `status = 'rejected' and decided_at < now() - interval '365 days'` },
  { table: 'onboarding_requests', where: `status = 'pending' and created_at < now() - interval '365 days'` },
];
