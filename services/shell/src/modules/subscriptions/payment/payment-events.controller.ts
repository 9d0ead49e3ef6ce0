import { Controller, Get, Path, Post, Query, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import type { ErrorView } from '../../../error.dto.js';
import { presentPaymentEvent } from './payment-events.presenter.js';
import type { PaymentEvents } from './payment-events.service.js';
import type { PaymentEventId, PaymentEventView } from './payments.dto.js';

@Route('admin/payment-events')
@Tags('Payment')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class PaymentEventsController extends Controller {
  constructor(private readonly events: PaymentEvents) {
    super();
  }

  /**
   * Lists what the payment processor told us, the latest first. Those that were given up: {"status":"dead"}.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: receivedAt, createdAt, type, status, attempts
   * @param filter JSON, for example {"status":"dead","type":{"startsWith":"customer."}}
   */
  @Get()
  @Security('bearer', ['payment-events:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<PaymentEventView>> {
    return (await this.events.list({ page, limit, sort, filter })).map(presentPaymentEvent);
  }

  /** Lets an event take effect again, when the cause of its failure is gone. */
  @Post('{id}/replay')
  @Security('bearer', ['payment-events:replay'])
  @SuccessResponse(200, 'It takes effect in a moment')
  @Response<ErrorView>(404, 'There is no such event')
  @Response<ErrorView>(503, 'This installation takes no payments')
  async replay(@Path() id: PaymentEventId): Promise<PaymentEventView> {
    return presentPaymentEvent(await this.events.replay(id));
  }
}
