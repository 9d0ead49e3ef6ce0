import { parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import { DeliveryRunner } from '@satellite/kit/jobs';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import type { AuditTrail } from '../../audit/index.js';
import { InvalidSignature, NoPaymentProcessor, PaymentEventNotFound } from './payment.errors.js';
import { PAYMENT_EVENT_STATUSES, type PaymentEvent } from './payment-event.entity.js';
import type { PaymentEventsRepository, StoredEvent } from './payment-events.repository.js';
import { replayed } from './payment-replay.js';
import type { PaymentProcessor } from './processor.js';
import type { SubscriptionSync } from './subscription-sync.js';

export interface PaymentEventsDeps {
  readonly processing: { readonly processor: PaymentProcessor; readonly sync: SubscriptionSync } | undefined;
  readonly events: PaymentEventsRepository;
  readonly db: Database;
  readonly audit: AuditTrail;
  readonly metrics: Registry;
  readonly logger: Logger;
}

const LIST_RULES: ListRules = {
  fields: { id: 'string', processor: 'string', type: 'string', subscriptionId: 'string', status: { oneOf: PAYMENT_EVENT_STATUSES }, attempts: 'number', createdAt: 'timestamp', receivedAt: 'timestamp' },
  sort: ['receivedAt', 'createdAt', 'type', 'status', 'attempts'],
  defaultSort: '-receivedAt',
};

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

  list(parameters: ListParameters): Promise<Page<PaymentEvent>> {
    return this.deps.events.page(parseListQuery(parameters, LIST_RULES));
  }

  /** Lets an event take effect again, in a moment. Throws PaymentEventNotFound or NoPaymentProcessor. */
  async replay(id: string): Promise<PaymentEvent> {
    const { db, events, audit, processing } = this.deps;
    if (processing === undefined) throw new NoPaymentProcessor(); // nobody would see to it
    return db.run(async () => {
      const ids = await replayed({ db, audit, events }, id);
      const event = await events.find(id);
      if (ids.length === 0 || event === undefined) throw new PaymentEventNotFound();
      return event;
    });
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
