export { AuditEntrySchema } from './audit-entry.entity.js';
export { auditVerification, buildAudit, type AuditedParts } from './audit.module.js';
export { noteActor, noteSubject, personOf, SYSTEM, type AuditActor } from './audit-scope.js';
export type { AuditEvent, AuditTrail } from './audit-trail.js';
export type { AuditAction, AuditTarget } from './audit.actions.js';
export { snapshot, type Snapshot } from './audit.fields.js';
export { reportVerification } from './audit-report.js';
export { auditScope, type RefusalWatch } from './refusals.http.js';
