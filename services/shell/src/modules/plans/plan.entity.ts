import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const PLAN_STATUSES = ['active', 'hidden', 'deprecated'] as const;
/** `active` is offered to everybody, `hidden` given by the platform only, `deprecated` kept by those who have it. */
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export const PLAN_SECTIONS = ['individual', 'business'] as const;
export type PlanSection = (typeof PLAN_SECTIONS)[number];

/** Legal moves (section 3.6 of the interface leaves them open): what was deprecated is sold again only after somebody looked at it while hidden. */
export const NEXT_STATUS: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = { active: ['hidden', 'deprecated'], hidden: ['active', 'deprecated'], deprecated: ['hidden'] };

/** One line of a plan's description. */
export interface PlanFeature {
  label: string;
  included: boolean;
}

export const PlanSchema = defineEntity({
  name: 'Plan',
  tableName: 'plans',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    code: p.string().length(40),
    name: p.string().length(80),
    tagline: p.string().length(200).nullable(),
    monthlyPrice: p.decimal('number').precision(12).scale(2),
    yearlyPrice: p.decimal('number').precision(12).scale(2),
    section: p.enum(PLAN_SECTIONS),
    ctaLabel: p.string().length(60),
    ctaLink: p.string().length(2048),
    features: p.json<PlanFeature[]>().onCreate(() => []),
    status: p.enum(PLAN_STATUSES),
    /** Apps that the plan includes; empty = all of them. */
    serviceIds: p.array().columnType('uuid[]').onCreate(() => []),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** What an organization can have, at what price, and how much of it (section 2.6 of the interface). */
export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan);
