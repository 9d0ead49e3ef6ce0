export { PlanSchema } from './plan.entity.js';
export { buildPlans } from './plans.module.js';
