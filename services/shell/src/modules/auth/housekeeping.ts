import type { Database } from '@satellite/kit/db';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';

const EVERY_MS = 3_600_000;
/** Any constant; whoever holds it sweeps, the other processes pass. */
const SWEEP_LOCK = 7_316_003;

/** What may go, and when. Most of these rows can be made by strangers, so none may stay for ever. */
const SWEEPS = [
  `delete from sign_in_failures where last_failure_at < now() - interval '1 hour' and (locked_until is null or locked_until < now())`,
  `delete from sessions where least(expires_at, coalesce(ended_at, expires_at)) < now() - interval '30 days'`,
  `delete from refresh_tokens where replaced_at < now() - interval '1 day' and session_id in (select id from sessions where ended_at is not null)`,
  `delete from mail_outbox where (sent_at is not null or body = '') and created_at < now() - interval '7 days'`,
  `delete from password_links where used_at is null and expires_at < now() - interval '7 days'`,
];

/** Removes what has run out, once an hour, by one process at a time. */
export class Housekeeping {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) => this.logger.warn({ error: messageOf(error) }, 'housekeeping'));
    }, EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    await this.db.run(async () => {
      const [lock] = await this.db.query<{ mine: boolean }>('select pg_try_advisory_xact_lock(?) as mine', [SWEEP_LOCK]);
      if (lock?.mine !== true) return;
      for (const sql of SWEEPS) await this.db.query(sql);
    });
  }
}
