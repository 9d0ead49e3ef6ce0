import type express from 'express';
import { Controller, Get, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { ErrorView } from '@satellite/kit/http';
import { actorOf } from '../../actor.js';
import type { StorageView } from './files.dto.js';
import type { FilesService } from './files.service.js';

@Route('storage')
@Tags('Storage')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role is not enough')
export class StorageController extends Controller {
  constructor(private readonly files: FilesService) {
    super();
  }

  /** How much the organization stores. */
  @Get()
  @Security('bearer', ['files:read'])
  async usage(@Request() request: express.Request): Promise<StorageView> {
    return this.files.usage(actorOf(request));
  }
}
