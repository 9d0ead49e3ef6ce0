import { z } from 'zod';
import { emailAddress, InvalidFields, lineOfText, problemsOf } from '@satellite/kit/core';

/** What an applicant says. */
export interface OnboardingFields {
  orgName: string;
  orgType: string;
  contactEmail: string;
  firstName: string;
  lastName: string;
  applicantEmail: string;
  contactPhone: string | null;
  companySize: number;
  ssoInterest: boolean;
  /** A wish: the approver decides. */
  subscriptionPlan: string | null;
}

const MAX_COMPANY_SIZE = 10_000_000;
const emptyIsNone = <T extends z.ZodType>(rule: T) => z.preprocess((value) => (value === '' || value === undefined ? null : value), rule.nullable());

const Rules = z.object({
  orgName: lineOfText(200),
  orgType: lineOfText(40),
  contactEmail: emailAddress(),
  firstName: lineOfText(100),
  lastName: lineOfText(100),
  applicantEmail: emailAddress(),
  contactPhone: emptyIsNone(z.string().regex(/^\+?[0-9][0-9 ()./-]{1,38}$/, 'must be a telephone number like +49 30 123456')),
  companySize: z.int('must be a whole number').min(1, 'must be at least 1').max(MAX_COMPANY_SIZE, `must be at most ${MAX_COMPANY_SIZE}`),
  ssoInterest: z.boolean(),
  subscriptionPlan: emptyIsNone(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'must be the code of a plan, for example PRO')),
});
const Reason = z.object({ reason: lineOfText(1000) });

/** Throws InvalidFields naming every broken field. */
export function parseOnboarding(given: object): OnboardingFields {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data;
}

/** Throws InvalidFields. */
export function parseReason(reason: string): string {
  const parsed = Reason.safeParse({ reason });
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data.reason;
}
