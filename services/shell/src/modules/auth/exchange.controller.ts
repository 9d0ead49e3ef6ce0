import type express from 'express';
import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import { actorOf } from '../../actor.js';
import type { ExchangeRequest, ExchangeResponse } from './auth.dto.js';
import type { ExchangeService } from './exchange.service.js';

@Route('auth')
@Tags('Token exchange')
export class ExchangeController extends Controller {
  constructor(private readonly exchanges: ExchangeService) {
    super();
  }

  /** A token for one app (`service` is its slug; `shell-rbac` is the gateway) in place of the Shell's token. */
  @Post('exchange')
  @Security('bearer')
  @SuccessResponse(200, 'Exchanged')
  @Response<ErrorView>(400, 'There is no such active app')
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The app is not enabled for the organization')
  async exchange(@Request() request: express.Request, @Body() body: ExchangeRequest): Promise<ExchangeResponse> {
    return this.exchanges.exchange(actorOf(request), body.service);
  }
}
