import type { PlanFeature, PlanSection, PlanStatus } from './plan.entity.js';
import type { LimitPeriod, PlanLimit } from './plan.rules.js';

/** A new plan (section 2.6 of the interface). */
export interface CreatePlanRequest {
  /** Unique whatever the case; letters, digits, `_` or `-`; never changes. */
  code: string;
  /** At most 80 characters. */
  name: string;
  tagline?: string | null;
  /** 0 or more, at most 2 decimals. */
  monthlyPrice: number;
  /** 0 or more, at most 2 decimals. */
  yearlyPrice: number;
  section: PlanSection;
  ctaLabel: string;
  /** An http(s) address or a path. */
  ctaLink: string;
  features?: PlanFeature[];
  /** `active` unless given. */
  status?: PlanStatus;
  /** Ids of registered apps that the plan includes; none means all apps. */
  serviceIds?: string[];
}

/** Fields to change; what is absent stays. */
export interface UpdatePlanRequest {
  /** Accepted only when it equals the plan's code. */
  code?: string;
  name?: string;
  tagline?: string | null;
  monthlyPrice?: number;
  yearlyPrice?: number;
  section?: PlanSection;
  ctaLabel?: string;
  ctaLink?: string;
  features?: PlanFeature[];
  status?: PlanStatus;
  serviceIds?: string[];
}

export interface PlanLimitRequest {
  /** `users`, `apps`, `api_calls` or a key that a registered app declares. */
  limitKey: string;
  /** A whole number from 0; -1 = unlimited. */
  limitValue: number;
  /** `monthly` and `daily` follow the calendar in UTC; `total` never begins again. */
  period: LimitPeriod;
}

export interface SetLimitsRequest {
  /** Replaces all limits of the plan. */
  limits: PlanLimitRequest[];
}

export interface PlanView {
  id: string;
  code: string;
  name: string;
  tagline: string | null;
  monthlyPrice: number;
  yearlyPrice: number;
  section: PlanSection;
  ctaLabel: string;
  ctaLink: string;
  features: PlanFeature[];
  status: PlanStatus;
  /** Empty: all apps. */
  serviceIds: string[];
  /** Its entity tag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** An app that a plan includes. */
export interface PlanServiceView {
  id: string;
  slug: string;
  name: string;
  icon: string | null;
}

export interface PlanWithServicesView extends PlanView {
  /** The apps of `serviceIds`; empty when the plan includes all. */
  services: PlanServiceView[];
  limits: PlanLimit[];
}

/** A plan as the pricing page shows it. */
export interface PricedPlanView {
  id: string;
  code: string;
  name: string;
  tagline: string | null;
  monthlyPrice: number;
  yearlyPrice: number;
  section: PlanSection;
  ctaLabel: string;
  ctaLink: string;
  features: PlanFeature[];
  status: PlanStatus;
  serviceIds: string[];
  limits: PlanLimit[];
}
