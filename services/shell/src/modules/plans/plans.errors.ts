import { AppError } from '@satellite/kit/core';
import type { PlanStatus } from './plan.entity.js';

/** Also for plans that the caller may not see. */
export class PlanNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'plans.not_found';
  constructor() {
    super('There is no such plan.');
  }
}

export class PlanCodeInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'plans.code_in_use';
  constructor(code: string) {
    super(`There is a plan with the code "${code}". Choose another one.`, { code });
  }
}

export class IllegalPlanStatus extends AppError {
  readonly kind = 'conflict';
  readonly code = 'plans.illegal_transition';
  constructor(from: PlanStatus, to: PlanStatus, allowed: readonly PlanStatus[]) {
    super(`A plan that is ${from} cannot become ${to}, only ${allowed.join(' or ')}.`, { from, to, allowed });
  }
}

/** Organizations without a paid plan are on it. */
export class FreePlanNeeded extends AppError {
  readonly kind = 'conflict';
  readonly code = 'plans.free_plan_needed';
  constructor(code: string) {
    super(`"${code}" is what organizations fall back to: it stays free of charge and is never deprecated.`, { code });
  }
}
