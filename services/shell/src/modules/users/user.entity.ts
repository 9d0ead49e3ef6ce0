import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const USER_STATUSES = ['active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    organizationId: p.uuid(),
    email: p.string().length(254),
    username: p.string().length(64),
    firstName: p.string().length(100),
    lastName: p.string().length(100),
    /** bcrypt; null for people who only sign in through a provider. */
    passwordHash: p.string().length(100).nullable(),
    status: p.enum(USER_STATUSES).default('active'),
    preferences: p.json<Record<string, unknown>>().onCreate(() => ({})),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** A person in one organization. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
