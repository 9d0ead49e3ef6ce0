export { AuditController } from './audit.controller.js';
export { AuditLog } from './audit-log.js';
export { RefusalAudit } from './refusals.http.js';
