import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { sign } from '../signature.js';
import type { LocalProcessor } from './local-processor.js';
import type { LocalStore } from './local-store.repository.js';

const TICK_MS = 5000;
const RETRY_SECONDS = 15;
const TIMEOUT_MS = 10_000;

export interface LocalWebhookOptions {
  /** Our own webhook route, as this process reaches it. */
  readonly url: string;
  readonly secret: string;
}

/** Delivers the events of the local processor as Stripe would: signed, over HTTP, until they are taken. */
export class LocalWebhooks {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly store: LocalStore,
    private readonly processor: LocalProcessor,
    private readonly options: LocalWebhookOptions,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.processor.listen(() => void this.tick());
    this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** One round, and another one for what came meanwhile. */
  tick(): Promise<void> {
    this.again = true;
    this.running ??= this.rounds().finally(() => (this.running = undefined));
    return this.running;
  }

  private async rounds(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.processor.renewDue();
        for (const { id, data } of await this.store.claimDue<object>('event', RETRY_SECONDS, 100)) await this.deliver(id, data);
      } catch (error) {
        this.logger.warn({ error: messageOf(error) }, 'the local payment processor could not do its round');
      }
    }
  }

  private async deliver(id: string, event: object): Promise<void> {
    const body = Buffer.from(JSON.stringify(event));
    const signature = sign(body, this.options.secret, Math.floor(Date.now() / 1000));
    try {
      const answer = await fetch(this.options.url, { method: 'POST', headers: { 'content-type': 'application/json', 'payment-signature': signature }, body, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
      await answer.arrayBuffer();
      if (answer.ok) await this.store.settled(id);
      else this.logger.warn({ event: id, status: answer.status }, 'our webhook did not take an event of the local processor');
    } catch (error) {
      this.logger.warn({ event: id, error: messageOf(error) }, 'our webhook cannot be reached; the event is sent again');
    }
  }
}
