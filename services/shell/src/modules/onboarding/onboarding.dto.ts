import type { Uuid } from '../../uuid.dto.js';
import type { OnboardingStatus } from './onboarding-request.entity.js';

/** Somebody's wish for an organization of their own. */
export interface SubmitOnboardingRequest {
  /** Name of the organization; at most 200 characters. */
  orgName: string;
  /** Kind of organization, for example `company`; at most 40 characters. */
  orgType: string;
  /** Address of the organization. */
  contactEmail: string;
  /** Of the applicant, who will administer the organization. */
  firstName: string;
  lastName: string;
  /** Address of the applicant: the invitation goes there. */
  applicantEmail: string;
  /** For example `+49 30 123456`. */
  contactPhone?: string | null;
  /**
   * People in the company.
   * @isInt must be a whole number
   * @minimum 1 must be at least 1
   * @maximum 10000000 must be at most 10000000
   */
  companySize: number;
  /** Whether they want to sign in through an identity provider of their own. */
  ssoInterest: boolean;
  /** Code of a plan, for example PRO: a wish, which the approver may follow. */
  subscriptionPlan?: string | null;
}

/** Says that a request waits, and nothing else. */
export interface OnboardingReceiptView {
  id: string;
  status: 'pending';
}

export interface ApproveOnboardingRequest {
  /** Plan to give without payment, also a hidden one. Without it the plan that was asked for begins, as a trial when it costs something; else the free one. */
  planCode?: string;
  /**
   * Apps to switch on beside those that everybody has.
   * @maxItems 100
   */
  appIds?: Uuid[];
}

export interface RejectOnboardingRequest {
  /** At most 1000 characters. */
  reason: string;
}

export interface OnboardingView {
  id: string;
  orgName: string;
  orgType: string;
  contactEmail: string;
  firstName: string;
  lastName: string;
  applicantEmail: string;
  contactPhone: string | null;
  companySize: number;
  ssoInterest: boolean;
  /** What was asked for. */
  subscriptionPlan: string | null;
  status: OnboardingStatus;
  /** Why it was rejected. */
  reason: string | null;
  /** Id of who decided. */
  decidedBy: string | null;
  decidedAt: Date | null;
  /** What the approval made; null before it. */
  organizationId: string | null;
  /** The organization's first administrator; null before the approval. */
  userId: string | null;
  /** Its entity tag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
