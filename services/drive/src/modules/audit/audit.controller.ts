import type express from 'express';
import { Controller, Get, Query, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import { parseListQuery, type Page } from '@satellite/kit/core';
import type { ErrorView } from '@satellite/kit/http';
import { actorOf } from '../../actor.js';
import type { AuditEntryView } from './audit.dto.js';
import type { AuditLog } from './audit-log.js';

@Route('audit')
@Tags('Audit')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role admin is missing')
export class AuditController extends Controller {
  constructor(private readonly audit: AuditLog) {
    super();
  }

  /**
   * Who touched what in this Drive, the newest first.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   */
  @Get()
  @Security('bearer', ['users:manage'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number): Promise<Page<AuditEntryView>> {
    const { organizationId } = actorOf(request);
    return (await this.audit.page(organizationId, parseListQuery({ page, limit }, { fields: {}, sort: ['at'], defaultSort: 'at' }))).map((entry) => ({ ...entry }));
  }
}
