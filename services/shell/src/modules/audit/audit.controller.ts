import type express from 'express';
import { Controller, Get, Query, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { actorOf } from '../../actor.js';
import type { ErrorView } from '../../error.dto.js';
import type { AuditEntryView } from './audit.dto.js';
import { presentAuditEntry } from './audit.presenter.js';
import type { AuditService } from './audit.service.js';

@Route('admin/audit')
@Tags('Audit')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class AuditController extends Controller {
  constructor(private readonly audit: AuditService) {
    super();
  }

  /**
   * Lists what was done and refused, the latest first: in one's own organization, or everywhere with
   * organizations:list. Needs settings:read or users:list.
   * @param page from 1
   * @param limit entries a page, 1 to 50
   * @param sort `at` or `-at`
   * @param filter JSON, for example {"outcome":"refused","action":{"startsWith":"users."},"at":{"gte":"2026-01-01T00:00:00Z"}}; fields at, actorKind, actorId, actorName, action, outcome, reason, targetType, targetId, organizationId, address, requestId
   */
  @Get()
  @Security('bearer', ['users:list'])
  @Security('bearer', ['settings:read'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<AuditEntryView>> {
    return (await this.audit.list(actorOf(request), { page, limit, sort, filter })).map(presentAuditEntry);
  }
}
