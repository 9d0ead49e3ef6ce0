import { defineEntity, p } from '@mikro-orm/core';
import type { AuditOutcome, EntryContent } from './audit-seal.js';

export const AUDIT_OUTCOMES = ['success', 'refused'] as const satisfies readonly AuditOutcome[];
export const ACTOR_KINDS = ['user', 'service', 'operator', 'anonymous', 'system'] as const satisfies readonly EntryContent['actorKind'][];

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    chainId: p.uuid().primary(),
    seq: p.bigint('number').primary(),
    id: p.uuid(),
    /** null for entries of the platform. */
    organizationId: p.uuid().nullable(),
    at: p.datetime().length(3),
    actorKind: p.enum(ACTOR_KINDS),
    actorId: p.text().nullable(),
    actorName: p.text().nullable(),
    act: p.text().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    action: p.text(),
    targetType: p.text().nullable(),
    targetId: p.text().nullable(),
    outcome: p.enum(AUDIT_OUTCOMES),
    reason: p.text().nullable(),
    occurrences: p.integer(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
    hash: p.character().length(64),
  },
});

/** One line of the audit trail; nobody changes it. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
