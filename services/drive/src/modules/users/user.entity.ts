import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const USER_STATUSES = ['active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const DriveUserSchema = defineEntity({
  name: 'DriveUser',
  tableName: 'users',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    organizationId: p.uuid(),
    /** Null for who was invited and has not come yet. */
    shellUserId: p.uuid().nullable(),
    email: p.string().length(254),
    name: p.string().length(200).nullable(),
    status: p.enum(USER_STATUSES).default('active'),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** A person in the Drive of one organization. */
export class DriveUser extends DriveUserSchema.class {}
DriveUserSchema.setClass(DriveUser);
