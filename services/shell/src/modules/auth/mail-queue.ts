import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import { messageOf } from '@satellite/kit/core';
import type { Mail, Mailer } from '@satellite/kit/mail';
import type { Logger } from '@satellite/kit/telemetry';

const MAX_ATTEMPTS = 12;
const FIRST_RETRY_SECONDS = 5;
const BATCH = 20;
const POLL_MS = 1000;

interface QueuedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly attempts: number;
}

/**
 * Mail leaves by a row of the transaction that gives the reason, never inside it. At least once: a process that dies
 * between sending and marking sends again.
 */
export class MailQueue {
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {}

  async enqueue(mail: Mail): Promise<void> {
    await this.db.query('insert into mail_outbox (id, recipient, subject, body, next_attempt_at, created_at) values (?, ?, ?, ?, now(), now())', [randomUUID(), mail.to, mail.subject, mail.text]);
  }

  start(): void {
    this.timer = setInterval(() => void this.drain(), POLL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sending;
    this.mailer.close();
  }

  /** Sends what is due; one run at a time in this process, rows are shared out by locks between processes. */
  drain(): Promise<void> {
    this.sending ??= this.sendDue()
      .catch((error: unknown) => this.logger.warn({ error: messageOf(error) }, 'mail queue'))
      .finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async sendDue(): Promise<void> {
    for (let sent = 0; sent < BATCH; sent += 1) {
      const mail = await this.claim();
      if (mail === undefined) return;
      await this.deliver(mail);
    }
  }

  /** Takes one mail by moving its next attempt into the future, so that no lock is held while a server is talked to. */
  private async claim(): Promise<QueuedMail | undefined> {
    const [mail] = await this.db.query<QueuedMail>(
      `update mail_outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ? * power(2, least(attempts, 10)))
       where id = (select id from mail_outbox where sent_at is null and next_attempt_at <= now() and attempts < ? order by next_attempt_at for update skip locked limit 1)
       returning id, recipient, subject, body, attempts`,
      [FIRST_RETRY_SECONDS, MAX_ATTEMPTS],
    );
    return mail;
  }

  private async deliver(mail: QueuedMail): Promise<void> {
    try {
      await this.mailer.send({ to: mail.recipient, subject: mail.subject, text: mail.body });
      // the text carries a link that opens an account: it is not kept
      await this.db.query(`update mail_outbox set sent_at = now(), body = '', last_error = null where id = ?`, [mail.id]);
    } catch (error) {
      this.logger.warn({ mailId: mail.id, attempts: mail.attempts, error: messageOf(error) }, 'a mail could not be sent');
      // given up: the link in it is not kept either
      await this.db.query(`update mail_outbox set last_error = ?, body = case when attempts >= ? then '' else body end where id = ?`, [messageOf(error).slice(0, 500), MAX_ATTEMPTS, mail.id]);
    }
  }
}
