import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const ONBOARDING_STATUSES = ['pending', 'approved', 'rejected'] as const;
/** Both decisions are final: whoever was rejected asks again. */
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

export const OnboardingRequestSchema = defineEntity({
  name: 'OnboardingRequest',
  tableName: 'onboarding_requests',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    orgName: p.string().length(200),
    orgType: p.string().length(40),
    contactEmail: p.string().length(254),
    firstName: p.string().length(100),
    lastName: p.string().length(100),
    applicantEmail: p.string().length(254),
    contactPhone: p.string().length(40).nullable(),
    companySize: p.integer(),
    ssoInterest: p.boolean(),
    subscriptionPlan: p.string().length(40).nullable(),
    status: p.enum(ONBOARDING_STATUSES).default('pending'),
    reason: p.string().length(1000).nullable(),
    decidedBy: p.uuid().nullable(),
    decidedAt: p.datetime().length(3).nullable(),
    /** What the approval made. */
    organizationId: p.uuid().fieldName('provisioned_organization_id').nullable(),
    userId: p.uuid().fieldName('provisioned_user_id').nullable(),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** Somebody's wish for an organization of their own (section 2.9 of the interface). */
export class OnboardingRequest extends OnboardingRequestSchema.class {
  approve(by: string, made: { readonly organizationId: string; readonly userId: string }): void {
    Object.assign(this, made, { status: 'approved' as const, decidedBy: by, decidedAt: new Date() });
  }

  reject(by: string, reason: string): void {
    Object.assign(this, { status: 'rejected' as const, reason, decidedBy: by, decidedAt: new Date() });
  }
}
OnboardingRequestSchema.setClass(OnboardingRequest);
