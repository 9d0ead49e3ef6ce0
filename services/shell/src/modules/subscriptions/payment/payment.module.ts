import { createHmac } from 'node:crypto';
import { RateLimiter } from '@satellite/kit/http';
import type { Job } from '@satellite/kit/jobs';
import type { Background, ControllerEntry, Parts } from '../../../parts.js';
import type { AuditedParts } from '../../audit/index.js';
import type { PlansRepository } from '../../plans/index.js';
import type { SubscriptionsRepository } from '../subscriptions.repository.js';
import type { SubscriptionsService } from '../subscriptions.service.js';
import { LOCAL_PAGES, localPages } from './local/local-pages.http.js';
import { LocalProcessor } from './local/local-processor.js';
import { LocalStore } from './local/local-store.repository.js';
import { localWebhooks } from './local/local-webhooks.js';
import { PaymentEventsController } from './payment-events.controller.js';
import { PaymentEventsRepository } from './payment-events.repository.js';
import { PaymentEvents } from './payment-events.service.js';
import { PaymentsController } from './payments.controller.js';
import type { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { PlanSalesController } from './plan-sales.controller.js';
import { PlanSales } from './plan-sales.service.js';
import type { PaymentProcessor } from './processor.js';
import { processorTasks } from './processor-tasks.js';
import { WEBHOOK_PATH } from './raw-body.http.js';
import { StripeProcessor } from './stripe-processor.js';
import { SubscriptionSync } from './subscription-sync.js';
import { WebhookController } from './webhook.controller.js';

/** What paying needs of plans and subscriptions. */
export interface PaymentNeeds {
  readonly plans: PlansRepository;
  readonly payments: PaymentsRepository;
  readonly service: SubscriptionsService;
  readonly repository: SubscriptionsRepository;
}

interface Adapter {
  readonly processor: PaymentProcessor | undefined;
  readonly background: readonly Background[];
  readonly jobs: readonly Job[];
  /** HTML pages of the processor itself; only the local one has any. */
  readonly pages: { readonly path: string; readonly router: ReturnType<typeof localPages> } | undefined;
}

/** Payment of one Shell. */
export function buildPayment(parts: AuditedParts, { plans, payments, service, repository }: PaymentNeeds) {
  const { db, redis, config, metrics, logger, audit, repeatable } = parts;
  const { processor, background, jobs, pages } = adapterOf(parts);
  const sync = processor && new SubscriptionSync(processor, payments, service, config.billing.graceDays);
  const processing = processor && sync && { processor, sync };
  const events = new PaymentEvents({ processing, events: new PaymentEventsRepository(db), db, audit, metrics, logger });
  const sales = new PlanSales({ processor, payments, plans, audit, currency: config.billing.currency });
  const limits = { limiter: new RateLimiter(redis), perMinute: config.limits.billing, returnOrigins: [config.http.publicUrl, ...config.billing.returnOrigins] };
  const paying = new PaymentsService({ processing, payments, plans, sales, subscriptions: { service, repository }, db, audit, limits });
  const tasks = processor && processorTasks(processor, payments, parts);
  const controllers: ControllerEntry[] = [
    [PaymentsController, () => new PaymentsController(paying, repeatable)],
    [PaymentEventsController, () => new PaymentEventsController(events)],
    [WebhookController, () => new WebhookController(events)],
    [PlanSalesController, () => new PlanSalesController(sales)],
  ];
  return { controllers, pages, jobs, background: [events, ...(tasks ? [tasks] : []), ...background] };
}

function adapterOf({ db, config, metrics, logger }: Parts): Adapter {
  const { processor: kind, stripe, webhookUrl } = config.billing;
  if (kind === 'none') return { processor: undefined, background: [], jobs: [], pages: undefined };
  if (kind === 'stripe') return { processor: new StripeProcessor(stripe), background: [], jobs: [], pages: undefined };
  const store = new LocalStore(db);
  const secret = createHmac('sha256', config.tokens.keyEncryptionKey).update('webhooks of the local payment processor').digest('base64url');
  const processor = new LocalProcessor(store, { pagesUrl: `${config.http.publicUrl}${LOCAL_PAGES}`, webhookSecret: secret });
  const webhooks = localWebhooks(store, { url: webhookUrl ?? `${config.http.publicUrl}${WEBHOOK_PATH}`, secret, metrics, logger });
  const jobs: Job[] = [{ name: 'local-payment.renew', schedule: '*/5 * * * * *', run: () => processor.renewDue() }];
  return { processor, background: [webhooks], jobs, pages: { path: LOCAL_PAGES, router: localPages(store, processor) } };
}
