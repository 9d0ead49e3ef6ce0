import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { InvalidSignature, NoPaymentProcessor } from './payment.errors.js';
import type { PaymentEventsRepository, StoredEvent } from './payment-events.repository.js';
import type { PaymentProcessor } from './processor.js';
import type { SubscriptionSync } from './subscription-sync.js';

/** How often something is tried before a person has to look at it. */
export const MAX_ATTEMPTS = 10;

/** Seconds until the next try: 2, 4, … at most an hour. */
export function backoff(attempts: number): number {
  return Math.min(3600, 2 ** attempts);
}

export interface PaymentEventsDeps {
  readonly processor: PaymentProcessor | undefined;
  readonly events: PaymentEventsRepository;
  readonly sync: SubscriptionSync | undefined;
  readonly logger: Logger;
}

/** What the processor tells us: checked, stored once, then made true. */
export class PaymentEvents {
  constructor(private readonly deps: PaymentEventsDeps) {}

  /** Answers once the event is stored; whether it took effect is our business from then on. Throws InvalidSignature or NoPaymentProcessor. */
  async receive(body: Buffer | undefined, signature: string | undefined): Promise<void> {
    const { processor, events } = this.deps;
    if (processor === undefined) throw new NoPaymentProcessor();
    if (body === undefined || signature === undefined) throw new InvalidSignature();
    const event = processor.verifyEvent(body, signature);
    if (await events.add(processor.name, event)) await this.round(event.id);
  }

  /** Makes true what is due, or only the one event. */
  async round(id?: string): Promise<void> {
    for (const event of await this.deps.events.claim(id)) await this.process(event);
  }

  private async process({ id, type, subscriptionId, attempts }: StoredEvent): Promise<void> {
    const { events, sync, logger } = this.deps;
    try {
      if (subscriptionId !== null) await sync?.refresh(subscriptionId);
      await events.settle(id, 'done', null, 0);
    } catch (error) {
      const dead = attempts >= MAX_ATTEMPTS;
      logger[dead ? 'error' : 'warn']({ event: id, type, attempts, err: error }, dead ? 'a payment event was given up; replay it when the cause is gone' : 'a payment event did not take effect yet');
      await events.settle(id, dead ? 'dead' : 'pending', messageOf(error).slice(0, 500), backoff(attempts));
    }
  }
}
