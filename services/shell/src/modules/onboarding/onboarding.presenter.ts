import type { OnboardingRequest } from './onboarding-request.entity.js';
import type { OnboardingView } from './onboarding.dto.js';

export function presentOnboarding(request: OnboardingRequest): OnboardingView {
  const { id, orgName, orgType, contactEmail, firstName, lastName, applicantEmail, companySize, ssoInterest, status, version, createdAt, updatedAt } = request;
  const { contactPhone = null, subscriptionPlan = null, reason = null, decidedBy = null, decidedAt = null, organizationId = null, userId = null } = request;
  return { id, orgName, orgType, contactEmail, firstName, lastName, applicantEmail, contactPhone, companySize, ssoInterest, subscriptionPlan, status, reason, decidedBy, decidedAt, organizationId, userId, version, createdAt, updatedAt };
}
