import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

/** Names of the roles that belong to no organization; the seed keeps them. */
export const SYSTEM_ROLES = { platform: 'SUPER_ADMIN', owner: 'ADMIN', member: 'USER' } as const;

export const RoleSchema = defineEntity({
  name: 'Role',
  tableName: 'roles',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    /** null for system roles. */
    organizationId: p.uuid().nullable(),
    name: p.string().length(64),
    description: p.string().length(500).default(''),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** A named set of permissions, of one organization or of the system. */
export class Role extends RoleSchema.class {
  get isSystem(): boolean {
    return this.organizationId == null;
  }
}
RoleSchema.setClass(Role);
