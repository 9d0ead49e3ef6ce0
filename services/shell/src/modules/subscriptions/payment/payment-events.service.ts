import { DeliveryRunner } from '@satellite/kit/jobs';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import { InvalidSignature, NoPaymentProcessor } from './payment.errors.js';
import type { PaymentEventsRepository, StoredEvent } from './payment-events.repository.js';
import type { PaymentProcessor } from './processor.js';
import type { SubscriptionSync } from './subscription-sync.js';

export interface PaymentEventsDeps {
  readonly processing: { readonly processor: PaymentProcessor; readonly sync: SubscriptionSync } | undefined;
  readonly events: PaymentEventsRepository;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** What the processor tells us: checked, stored once, then made true, again and again until it is or a person has to look. */
export class PaymentEvents {
  private readonly runner: DeliveryRunner<StoredEvent>;

  constructor(private readonly deps: PaymentEventsDeps) {
    const { events, metrics, logger } = deps;
    this.runner = new DeliveryRunner({ name: 'payment-events', table: events.table, deliver: (event) => this.takeEffect(event), metrics, logger });
  }

  /** Answers once the event is stored and was tried; whether it took effect is our business from then on. Throws InvalidSignature or NoPaymentProcessor. */
  async receive(body: Buffer | undefined, signature: string | undefined): Promise<void> {
    const { processing, events } = this.deps;
    if (processing === undefined) throw new NoPaymentProcessor();
    if (body === undefined || signature === undefined) throw new InvalidSignature();
    const event = processing.processor.verifyEvent(body, signature);
    if (await events.add(processing.processor.name, event)) await this.runner.now(event.id);
  }

  private async takeEffect({ subscriptionId }: StoredEvent): Promise<void> {
    if (subscriptionId !== null) await this.deps.processing?.sync.refresh(subscriptionId);
  }

  start(): void {
    if (this.deps.processing !== undefined) this.runner.start();
  }

  stop(): Promise<void> {
    return this.runner.stop();
  }
}
