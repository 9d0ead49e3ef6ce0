import type { Sweep } from '@satellite/kit/jobs';

/** What may go, and when. Most of these rows can be made by strangers, so none may stay for ever. */
export const AUTH_SWEEPS: readonly Sweep[] = [
  { table: 'sign_in_failures', where: `last_failure_at < now() - interval '1 hour' and (locked_until is null or locked_until < now())` },
  { table: 'sessions', where: `least(expires_at, coalesce(ended_at, expires_at)) < now() - interval '30 days'` },
  { table: 'refresh_tokens', where: `replaced_at < now() - interval '1 day' and session_id in (select id from sessions where ended_at is not null)` },
  { table: 'mail_outbox', where: `status <> 'pending' and created_at < now() - interval '7 days'` },
  { table: 'password_links', where: `used_at is null and expires_at < now() - interval '7 days'` }, // used ones prove that somebody reads the address
  { table: 'revocations', where: 'expires_at < now()' }, // their tokens have ended by themselves
];
