import type express from 'express';
import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import { actorOf, clientOf } from '../auth/index.js';
import type { ExchangeForServiceRequest, ServiceTokenView } from './gateway.dto.js';
import type { ServiceExchange } from './service-exchange.js';

@Route('auth')
@Tags('Token exchange')
export class ExchangeForServiceController extends Controller {
  constructor(private readonly exchanges: ServiceExchange) {
    super();
  }

  /** A token for an app in place of an identity provider's, for a signed-in person, by the gateway's own method; both must be the same person. */
  @Post('exchange-for-service')
  @Security('bearer')
  @SuccessResponse(200, 'Exchanged')
  @Response<ErrorView>(400, 'There is no such active app')
  @Response<ErrorView>(401, 'The token is not valid')
  @Response<ErrorView>(403, 'The app is not enabled for the organization')
  async exchangeForService(@Request() request: express.Request, @Body() body: ExchangeForServiceRequest): Promise<ServiceTokenView> {
    const { userId, organizationId } = actorOf(request);
    return this.exchanges.exchange(body, { kind: 'person', userId, organizationId }, clientOf(request));
  }
}
