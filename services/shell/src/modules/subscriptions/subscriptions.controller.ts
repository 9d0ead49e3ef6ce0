import type express from 'express';
import { Body, Controller, Get, Header, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import { actorOf } from '../auth/index.js';
import type { QuotaService } from './quota.service.js';
import type { ConsumedView, LimitCheckView, LimitRequest, SubscriptionView, UsageView } from './subscriptions.dto.js';
import { presentLimitCheck, presentSubscription, presentUsage } from './subscriptions.presenter.js';
import type { SubscriptionsService } from './subscriptions.service.js';

/** Everything here is about the organization of the token; no request can name another one. */
@Route('subscriptions')
@Tags('Subscriptions')
@Response<ErrorView>(401, 'No valid token')
export class SubscriptionsController extends Controller {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly quota: QuotaService,
  ) {
    super();
  }

  /** The organization's subscription and its status. */
  @Get('current')
  @Security('bearer')
  async current(@Request() request: express.Request): Promise<SubscriptionView> {
    return presentSubscription(await this.subscriptions.current(actorOf(request).organizationId));
  }

  /** Consumption versus quota for every limit of the plan. */
  @Get('usage')
  @Security('bearer')
  async usage(@Request() request: express.Request): Promise<UsageView[]> {
    return (await this.quota.usage(actorOf(request).organizationId)).map(presentUsage);
  }

  /** Whether a limit has been reached; counts nothing. */
  @Post('check-limit')
  @Security('bearer')
  @SuccessResponse(200, 'Checked')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'Nobody counts this')
  async checkLimit(@Request() request: express.Request, @Body() body: LimitRequest): Promise<LimitCheckView> {
    return presentLimitCheck(await this.quota.check(actorOf(request).organizationId, body.limitKey, body.amount));
  }

  /**
   * Counts consumption, all of the amount or nothing. With an `Idempotency-Key` a repeated request counts once; the
   * answer to the first is kept for 24 hours.
   */
  @Post('consume')
  @Security('bearer')
  @SuccessResponse(200, 'Counted')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'Nobody counts this')
  @Response<ErrorView>(409, 'A request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  @Response<ErrorView>(429, 'The limit would be exceeded')
  async consume(@Request() request: express.Request, @Body() body: LimitRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<ConsumedView> {
    const { organizationId, userId } = actorOf(request);
    const { replayed } = await this.quota.consume({ organizationId, actorId: userId, ...body, idempotencyKey });
    if (replayed) this.setHeader('Idempotency-Replayed', 'true');
    return { success: true };
  }
}
