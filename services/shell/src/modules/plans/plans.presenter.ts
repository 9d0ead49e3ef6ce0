import type { Plan } from './plan.entity.js';
import type { PlanLimit } from './plan.rules.js';
import type { PlanView, PlanWithServicesView, PricedPlanView } from './plans.dto.js';
import type { PlanWithContents } from './plans.service.js';

export function presentPlan(plan: Plan): PlanView {
  const { version, createdAt, updatedAt } = plan;
  return { ...offered(plan), version, createdAt, updatedAt };
}

export function presentPlanWithContents({ plan, services, limits }: PlanWithContents): PlanWithServicesView {
  return { ...presentPlan(plan), services: [...services], limits: [...limits] };
}

export function presentPricedPlan(plan: Plan, limits: readonly PlanLimit[]): PricedPlanView {
  return { ...offered(plan), limits: [...limits] };
}

function offered({ id, code, name, tagline, monthlyPrice, yearlyPrice, section, ctaLabel, ctaLink, features, status, serviceIds }: Plan): Omit<PricedPlanView, 'limits'> {
  return { id, code, name, tagline: tagline ?? null, monthlyPrice, yearlyPrice, section, ctaLabel, ctaLink, features, status, serviceIds };
}
