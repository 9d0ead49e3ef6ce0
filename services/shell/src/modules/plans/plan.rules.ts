import { z } from 'zod';
import { InvalidFields } from '@satellite/kit/core';
import { lineOfText, problemsOf } from '../../text-rules.js';
import { PLAN_SECTIONS, PLAN_STATUSES, type PlanFeature, type PlanSection, type PlanStatus } from './plan.entity.js';

export const LIMIT_PERIODS = ['monthly', 'daily', 'total'] as const;
/** When a counter begins again: with the calendar month or day (UTC), or never. */
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** Value of a limit that does not limit. */
export const UNLIMITED = -1;

/** How much of one thing a plan allows. */
export interface PlanLimit {
  limitKey: string;
  /** -1 = unlimited. */
  limitValue: number;
  period: LimitPeriod;
}

/** Fields of a plan that people choose. */
export interface PlanFields {
  code: string;
  name: string;
  tagline: string | null;
  monthlyPrice: number;
  yearlyPrice: number;
  section: PlanSection;
  ctaLabel: string;
  ctaLink: string;
  features: PlanFeature[];
  status: PlanStatus;
  serviceIds: string[];
}

const MAX_PRICE = 1_000_000;
const MAX_LIMITS = 200;

/** An absolute http(s) address without credentials, or a path on the platform's own host. */
function isLink(value: string): boolean {
  if (value.length > 2048 || /[\s\\\p{C}]/u.test(value)) return false;
  if (value.startsWith('/')) return !value.startsWith('//');
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '';
}

const price = z
  .number()
  .min(0, 'must not be negative')
  .max(MAX_PRICE, `must be at most ${MAX_PRICE}`)
  .refine((value) => Number(value.toFixed(2)) === value, 'must have at most 2 decimals');
const feature = z.strictObject({ label: lineOfText(120), included: z.boolean() });

const Rules = z.object({
  code: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'must be 1 to 40 letters, digits, _ or - and begin with a letter'),
  name: lineOfText(80),
  tagline: z.preprocess((value) => (value === '' ? null : value), lineOfText(200).nullable()),
  monthlyPrice: price,
  yearlyPrice: price,
  section: z.enum(PLAN_SECTIONS, `must be one of ${PLAN_SECTIONS.join(', ')}`),
  ctaLabel: lineOfText(60),
  ctaLink: z.string().refine(isLink, 'must be an http(s) address or a path like /register'),
  features: z.array(feature).max(50, 'must be at most 50'),
  status: z.enum(PLAN_STATUSES, `must be one of ${PLAN_STATUSES.join(', ')}`),
  serviceIds: z.array(z.string()).max(500, 'must be at most 500'),
});

const Limits = z.array(
  z.object({
    limitKey: z.string().max(128),
    limitValue: z.int('must be a whole number').min(UNLIMITED, 'must be 0 or more, or -1 for unlimited'),
    period: z.enum(LIMIT_PERIODS, `must be one of ${LIMIT_PERIODS.join(', ')}`),
  }),
).max(MAX_LIMITS, `must be at most ${MAX_LIMITS}`);

/** Throws InvalidFields naming every broken field. */
export function parsePlan(given: PlanFields): PlanFields {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return { ...parsed.data, serviceIds: [...new Set(parsed.data.serviceIds.map((id) => id.toLowerCase()))] };
}

/** Throws InvalidFields; `known` are the keys that anybody counts. */
export function parseLimits(given: readonly PlanLimit[], known: ReadonlySet<string>): PlanLimit[] {
  const parsed = Limits.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error).map(({ field, message }) => ({ field: `limits.${field}`, message })));
  const problems = parsed.data.flatMap(({ limitKey }, index, all) => {
    const field = `limits.${index}.limitKey`;
    if (!known.has(limitKey)) return [{ field, message: `"${limitKey}" is counted by nobody; known are ${[...known].sort().slice(0, 20).join(', ')}` }];
    return all.findIndex((other) => other.limitKey === limitKey) < index ? [{ field, message: `"${limitKey}" is there twice` }] : [];
  });
  if (problems.length > 0) throw new InvalidFields(problems);
  return parsed.data;
}
