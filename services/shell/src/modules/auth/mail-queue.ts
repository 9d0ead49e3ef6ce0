import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import { DeliveryRunner, DeliveryTable, type Delivery } from '@satellite/kit/jobs';
import type { Mail, Mailer } from '@satellite/kit/mail';
import type { Logger, Registry } from '@satellite/kit/telemetry';

const MAX_ATTEMPTS = 12;
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 5120;
const PARALLEL = 4;
const POLL_MS = 1000;

interface QueuedMail extends Delivery {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
}

/** Mail leaves by a row of the transaction that gives the reason, never inside it. At least once: a process that dies between sending and marking sends again. */
export class MailQueue {
  private readonly table: DeliveryTable<QueuedMail>;
  private readonly runner: DeliveryRunner<QueuedMail>;

  constructor(
    private readonly db: Database,
    private readonly mailer: Mailer,
    { metrics, logger }: { readonly metrics: Registry; readonly logger: Logger },
  ) {
    // the text carries a link that opens an account: it is kept neither when it is sent nor when it is given up
    this.table = new DeliveryTable(db, { table: 'mail_outbox', columns: 'recipient, subject, body', orderBy: 'created_at', whenDone: `sent_at = now(), body = ''`, whenDead: `body = ''` });
    const backoff = (attempts: number): number => Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** attempts);
    this.runner = new DeliveryRunner({ name: 'mail', table: this.table, deliver: (mail) => this.send(mail), metrics, logger, maxAttempts: MAX_ATTEMPTS, backoff, parallel: PARALLEL, pollMs: POLL_MS });
  }

  async enqueue(mail: Mail): Promise<void> {
    await this.db.query('insert into mail_outbox (id, recipient, subject, body, created_at) values (?, ?, ?, ?, now())', [randomUUID(), mail.to, mail.subject, mail.text]);
    this.table.added();
  }

  start(): void {
    this.runner.start();
  }

  async stop(): Promise<void> {
    await this.runner.stop();
    this.mailer.close();
  }

  /** Sends everything that is due. */
  drain(): Promise<void> {
    return this.runner.drain();
  }

  private async send({ recipient, subject, body }: QueuedMail): Promise<void> {
    if (body === '') return; // a process of the release before has sent it
    await this.mailer.send({ to: recipient, subject, text: body });
  }
}
