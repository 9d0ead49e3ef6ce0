export type { QuotaService } from './quota.service.js';
export type { SubscriptionClock } from './subscription-clock.js';
export { SubscriptionSchema } from './subscription.entity.js';
export { buildSubscriptions } from './subscriptions.module.js';
export type { SubscriptionsService } from './subscriptions.service.js';
