import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const ORGANIZATION_STATUSES = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

export const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    name: p.string().length(200),
    slug: p.string().length(63),
    type: p.string().length(40),
    status: p.enum(ORGANIZATION_STATUSES).default('active'),
    domain: p.string().length(253).nullable(),
    subscriptionPlan: p.string().length(40),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** A customer: users, roles and a plan live inside exactly one. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
