export { PlanSchema, type Plan } from './plan.entity.js';
export type { LimitPeriod } from './plan.rules.js';
export { buildPlans } from './plans.module.js';
export { PlanNotFound } from './plans.errors.js';
export { PLATFORM_LIMIT_KEYS, type PlansRepository } from './plans.repository.js';
export { FREE_PLAN, type VisibleChanges } from './plans.service.js';
