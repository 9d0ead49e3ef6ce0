import type express from 'express';
import { Controller, NoSecurity, Post, Request, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../../error.dto.js';
import type { PaymentEvents } from './payment-events.service.js';
import type { ReceivedView } from './payments.dto.js';
import { rawBodyOf } from './raw-body.http.js';

@Route('subscriptions')
@Tags('Payment')
export class WebhookController extends Controller {
  constructor(private readonly events: PaymentEvents) {
    super();
  }

  /** Events of the payment processor, proven by the signature in `payment-signature` or `stripe-signature` (at most 300 seconds from now). */
  @Post('webhook')
  @NoSecurity()
  @SuccessResponse(200, 'Stored')
  @Response<ErrorView>(400, 'The signature is missing, wrong or too old')
  async receive(@Request() request: express.Request): Promise<ReceivedView> {
    await this.events.receive(rawBodyOf(request), request.header('payment-signature') ?? request.header('stripe-signature'));
    return { received: true };
  }
}
