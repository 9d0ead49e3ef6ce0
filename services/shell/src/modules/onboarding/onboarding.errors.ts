import { AppError } from '@satellite/kit/core';

export class OnboardingRequestNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'onboarding.not_found';
  constructor() {
    super('There is no such onboarding request.');
  }
}

/** Decisions are final. */
export class AlreadyDecided extends AppError {
  readonly kind = 'conflict';
  readonly code = 'onboarding.already_decided';
  constructor(status: string) {
    super(status === 'approved' ? 'The request has been approved and its organization exists. Suspend the organization instead.' : 'The request has been rejected. The applicant can send another one.', { status });
  }
}

/** Nobody gets a second account by an approval. */
export class ApplicantHasAccount extends AppError {
  readonly kind = 'conflict';
  readonly code = 'onboarding.email_in_use';
  constructor() {
    super('Somebody has an account with the applicant\'s e-mail address. Reject the request, and ask them to apply with another address or to sign in.', { field: 'applicantEmail' });
  }
}

export class RequestedPlanNotOffered extends AppError {
  readonly kind = 'conflict';
  readonly code = 'onboarding.plan_not_offered';
  constructor(planCode: string) {
    super(`The plan "${planCode}" that was asked for is not on offer. Name another one by planCode.`, { planCode });
  }
}
