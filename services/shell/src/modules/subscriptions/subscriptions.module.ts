import { IdempotencyStore } from '@satellite/kit/db';
import type { Job } from '@satellite/kit/jobs';
import type { Background, ControllerEntry, Parts } from '../../parts.js';
import type { AuditedParts } from '../audit/index.js';
import { Tenancy } from '../../tenancy.js';
import type { PlansRepository, VisibleChanges } from '../plans/index.js';
import { SUBSCRIPTION_SWEEPS } from './housekeeping.js';
import { buildPayment } from './payment/payment.module.js';
import { PaymentsRepository } from './payment/payments.repository.js';
import { QuotaPressure } from './quota-pressure.js';
import { QuotaPressureRepository } from './quota-pressure.repository.js';
import { QuotaRepository } from './quota.repository.js';
import { QuotaService } from './quota.service.js';
import { subscriptionClock } from './subscription-clock.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** What subscriptions need of other modules. */
export interface SubscriptionsNeeds {
  readonly plans: PlansRepository;
  readonly changes: VisibleChanges;
  readonly quota: QuotaService;
}

/** Quotas of one Shell; they need nobody, and many need them. */
export function buildQuota({ db }: Parts): QuotaService {
  return new QuotaService(new QuotaRepository(db), new IdempotencyStore(db));
}

/** Subscriptions of one Shell. */
export function buildSubscriptions(parts: AuditedParts, { plans, changes, quota }: SubscriptionsNeeds) {
  const { db, config, logger } = parts;
  const subscriptions = new SubscriptionsRepository(db);
  const payments = new PaymentsRepository(db, config.billing.processor);
  const service = new SubscriptionsService({ db, subscriptions, plans, tenancy: new Tenancy(db), changes, trialDays: config.billing.trialDays, processorTasks: payments });
  const payment = buildPayment(parts, { plans, payments, service, repository: subscriptions });
  const pressure = new QuotaPressure(new QuotaRepository(db), new QuotaPressureRepository(db));
  const controllers: ControllerEntry[] = [[SubscriptionsController, () => new SubscriptionsController(service, quota)], ...payment.controllers];
  const background: Background[] = [...payment.background];
  const jobs: Job[] = [subscriptionClock(subscriptions, service, logger), ...payment.jobs];
  return { subscriptions: service, pressure, paymentPages: payment.pages, controllers, background, jobs, sweeps: SUBSCRIPTION_SWEEPS };
}
