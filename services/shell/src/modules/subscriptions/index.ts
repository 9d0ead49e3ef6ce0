export { CONSUME_STATEMENT } from './quota.repository.js';
export type { QuotaService } from './quota.service.js';
export { SubscriptionSchema } from './subscription.entity.js';
export { buildQuota, buildSubscriptions } from './subscriptions.module.js';
export type { SubscriptionsService } from './subscriptions.service.js';
export { keepWebhookBody } from './payment/raw-body.http.js';
export { PaymentEventSchema } from './payment/payment-event.entity.js';
export { replayPaymentEvents } from './payment/payment-replay.js';
