import type { AuditEntryView } from './audit.dto.js';
import type { AuditEntry } from './audit-entry.entity.js';

export function presentAuditEntry(entry: AuditEntry): AuditEntryView {
  const { id, seq, at, actorKind, actorId, actorName, act, organizationId, address, requestId, action, targetType, targetId, outcome, reason, occurrences, before, after, hash } = entry;
  return {
    id, seq, at,
    actor: { kind: actorKind, id: actorId ?? null, name: actorName ?? null, act: act ?? null },
    organizationId: organizationId ?? null, address: address ?? null, requestId: requestId ?? null, action,
    target: targetType == null ? null : { type: targetType, id: targetId ?? null },
    outcome, reason: reason ?? null, count: occurrences, before: before ?? null, after: after ?? null, hash,
  };
}
