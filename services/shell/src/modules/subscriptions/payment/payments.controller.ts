import type express from 'express';
import { Body, Controller, Delete, Get, Header, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Repeatable } from '../../../repeatable.http.js';
import type { ErrorView } from '../../../error.dto.js';
import { actorOf } from '../../auth/index.js';
import type { CheckoutView, DoneView, PaymentMethodId, PaymentMethodView, PortalView, SetupView, UpgradeDirectRequest, UpgradeRequest } from './payments.dto.js';
import type { PaymentsService } from './payments.service.js';

/** Paying; for the organization of the token. Who decides on plan and payment holds subscriptions:admin. */
@Route('subscriptions')
@Tags('Payment')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
@Response<ErrorView>(429, 'Too many requests')
@Response<ErrorView>(503, 'No payment processor, or it does not answer')
export class PaymentsController extends Controller {
  constructor(
    private readonly payments: PaymentsService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * A page on which the plan can be paid for; the plan begins when it is.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post('upgrade')
  @Security('bearer', ['subscriptions:admin'])
  @SuccessResponse(200, 'Begun')
  @Response<ErrorView>(400, 'There is no such plan on offer')
  @Response<ErrorView>(409, 'The plan costs nothing, or is paid for already, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async upgrade(@Request() request: express.Request, @Body() body: UpgradeRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<CheckoutView> {
    const work = () => this.payments.upgrade(actorOf(request), body);
    return this.repeatable.once(request, idempotencyKey, { name: 'subscriptions.upgrade', work, present: (checkoutUrl) => ({ checkoutUrl }) });
  }

  /**
   * Pays for the plan with a saved card, without a page. Asking twice pays once.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post('upgrade-direct')
  @Security('bearer', ['subscriptions:admin'])
  @SuccessResponse(200, 'Paid')
  @Response<ErrorView>(400, 'There is no such plan on offer')
  @Response<ErrorView>(404, 'There is no such payment method')
  @Response<ErrorView>(409, 'The plan costs nothing, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The payment did not go through, or the Idempotency-Key belongs to another request')
  async upgradeDirect(@Request() request: express.Request, @Body() body: UpgradeDirectRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<DoneView> {
    const work = () => this.payments.upgradeDirect(actorOf(request), body);
    return this.repeatable.once(request, idempotencyKey, { name: 'subscriptions.upgrade_direct', work, present: (): DoneView => ({ success: true }) });
  }

  /**
   * A page that sees to cards, invoices and the end of the subscription.
   * @param returnUrl where to go afterwards: a path, or an address of the platform
   */
  @Get('portal')
  @Security('bearer', ['subscriptions:admin'])
  @Response<ErrorView>(400, 'The return address is not one of the platform')
  async portal(@Request() request: express.Request, @Query() returnUrl?: string): Promise<PortalView> {
    return { portalUrl: await this.payments.portal(actorOf(request), returnUrl) };
  }

  /** A secret with which a browser saves a card. */
  @Post('payment-methods/setup')
  @Security('bearer', ['subscriptions:admin'])
  @SuccessResponse(200, 'Begun')
  async setup(@Request() request: express.Request): Promise<SetupView> {
    return { clientSecret: await this.payments.setup(actorOf(request)) };
  }

  /** Saved payment methods. */
  @Get('payment-methods')
  @Security('bearer', ['subscriptions:admin'])
  async methods(@Request() request: express.Request): Promise<PaymentMethodView[]> {
    return this.payments.paymentMethods(actorOf(request));
  }

  /** Forgets a payment method. */
  @Delete('payment-methods/{paymentMethodId}')
  @Security('bearer', ['subscriptions:admin'])
  @SuccessResponse(200, 'Removed')
  @Response<ErrorView>(404, 'There is no such payment method')
  async remove(@Request() request: express.Request, @Path() paymentMethodId: PaymentMethodId): Promise<DoneView> {
    await this.payments.removePaymentMethod(actorOf(request), paymentMethodId);
    return { success: true };
  }

  /** Makes a payment method the one that is used unless another is named. */
  @Put('payment-methods/{paymentMethodId}/default')
  @Security('bearer', ['subscriptions:admin'])
  @Response<ErrorView>(404, 'There is no such payment method')
  async setDefault(@Request() request: express.Request, @Path() paymentMethodId: PaymentMethodId): Promise<DoneView> {
    await this.payments.setDefaultPaymentMethod(actorOf(request), paymentMethodId);
    return { success: true };
  }
}
