import type express from 'express';
import { Body, Controller, Delete, Get, Path, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView, Uuid } from '@satellite/kit/http';
import { actorOf } from '../../actor.js';
import type { LinkView, SharedView, ShareRequest } from './shares.dto.js';
import type { SharesService } from './shares.service.js';

@Route('files/{id}/share')
@Tags('Share links')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role is not enough, or the file is somebody else\'s')
@Response<ErrorView>(404, 'There is no such file')
export class SharesController extends Controller {
  constructor(
    private readonly shares: SharesService,
    private readonly baseUrl: string,
  ) {
    super();
  }

  /** Makes a link with which anybody can download the file. */
  @Post()
  @Security('bearer', ['shares:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'The life is none of 1, 3 and 7 days')
  @Response<ErrorView>(409, 'The file has too many links')
  async share(@Request() request: express.Request, @Path() id: Uuid, @Body() body: ShareRequest): Promise<SharedView> {
    const { token, expiresAt } = await this.shares.share(actorOf(request), id, body.ttlDays);
    return { url: `${this.baseUrl}/s/${token}`, expiresAt };
  }

  /** Links that work: neither revoked nor expired. */
  @Get()
  @Security('bearer', ['shares:write'])
  async list(@Request() request: express.Request, @Path() id: Uuid): Promise<LinkView[]> {
    return (await this.shares.list(actorOf(request), id)).map(({ token, ...link }) => ({ ...link, token: token ?? null }));
  }

  /** Ends a link at once. */
  @Delete('{linkId}')
  @Security('bearer', ['shares:write'])
  @SuccessResponse(204, 'Revoked')
  async revoke(@Request() request: express.Request, @Path() id: Uuid, @Path() linkId: Uuid): Promise<void> {
    await this.shares.revoke(actorOf(request), id, linkId);
  }
}
