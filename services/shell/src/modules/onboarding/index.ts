export { OnboardingRequestSchema } from './onboarding-request.entity.js';
export { buildOnboarding } from './onboarding.module.js';
