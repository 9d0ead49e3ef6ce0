import type { Request, RequestHandler } from 'express';
import type { AppError } from '@satellite/kit/core';
import { operationFinder, type OpenApiDocument } from '@satellite/kit/http';
import { OPERATIONS, RPCS, type AuditAction, type AuditedOperation, type AuditTarget } from './audit.actions.js';
import { circumstances, inRequest } from './audit-scope.js';
import type { RefusalLog } from './refusal-log.js';

/** Before everything that has to do with people: what happens from here on happens in this request. */
export const auditScope: RequestHandler = (request, _response, next) => inRequest(request.ip, next);

type Listed = AuditedOperation & { readonly action: AuditAction };

/** Hears of refused REST requests and RPCs, and notes those that the audit trail is to know of. */
export class RefusalWatch {
  private readonly find: ReturnType<typeof operationFinder>;

  constructor(
    document: OpenApiDocument,
    private readonly log: RefusalLog,
  ) {
    this.find = operationFinder(document);
  }

  readonly onRequest = (request: Request, error: AppError, status: number): void => {
    if (status >= 500) return; // our own trouble; the log has it
    const found = this.find(request.method, request.originalUrl.split('?')[0] ?? '');
    const operation = found && listed(OPERATIONS, found.name);
    if (operation) this.note(operation, error, found.parameters);
  };

  readonly onRpc = (method: string, error: AppError): void => {
    const operation = listed(RPCS, method);
    if (operation && error.kind !== 'unavailable' && error.kind !== 'failed') this.note(operation, error, {});
  };

  private note(operation: Listed, { code }: AppError, parameters: Readonly<Record<string, string>>): void {
    const now = circumstances();
    const { actor, subject } = now;
    const organizationId = actor.organizationId ?? subject?.organizationId ?? null;
    this.log.note({ ...now, action: operation.action, organizationId, target: targetOf(operation, parameters) ?? subject?.target, reason: code });
  }
}

function listed(table: Readonly<Record<string, AuditedOperation>>, name: string): Listed | undefined {
  return Object.hasOwn(table, name) ? (table[name] as Listed) : undefined;
}

function targetOf({ target, parameter = 'id' }: AuditedOperation, parameters: Readonly<Record<string, string>>): AuditTarget | undefined {
  const id = parameters[parameter];
  return target === undefined || id === undefined ? undefined : { type: target, id };
}
