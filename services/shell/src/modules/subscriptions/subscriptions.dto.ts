import type { LimitPeriod } from '../plans/index.js';
import type { BillingInterval, SubscriptionStatus } from './subscription.entity.js';

export interface SubscriptionView {
  id: string;
  organizationId: string;
  planCode: string;
  planName: string;
  /** `canceled` keeps the plan until the end of the period. */
  status: SubscriptionStatus;
  interval: BillingInterval;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /** The free plan follows when the period ends. */
  cancelAtPeriodEnd: boolean;
  /** When another plan follows unless something happens; null while it goes on. */
  endsAt: Date | null;
  /** The plan that follows; null while it goes on. */
  nextPlanCode: string | null;
}

/** Consumption versus quota of one limit. */
export interface UsageView {
  limitKey: string;
  /** -1 = unlimited. */
  limit: number;
  used: number;
  /** What is left; null = unlimited. */
  remaining: number | null;
  period: LimitPeriod;
  /** When the counter begins again; null = never. */
  resetsAt: Date | null;
  /** More is used than the plan allows, for example after a downgrade. */
  overLimit: boolean;
}

/**
 * Name of a limit: users, apps, api_calls, or what an app declares.
 * @pattern ^[a-z][a-z0-9._-]{0,127}$ must be a limit key like api_calls or drive.storage_bytes
 */
type LimitKey = string;

export interface LimitRequest {
  limitKey: LimitKey;
  /**
   * How much; 1 unless given.
   * @isInt must be a whole number
   * @minimum 1 must be at least 1
   * @maximum 1000000000 must be at most 1000000000
   */
  amount?: number;
}

export interface LimitCheckView extends UsageView {
  /** Nothing is left. */
  reached: boolean;
  /** Consuming the amount would be accepted now. */
  allowed: boolean;
}

export interface ConsumedView {
  success: true;
}
