import type express from 'express';
import { Controller, Get, NoSecurity, Request, Route, Tags } from '@tsoa/runtime';
import { sendPrepared } from '../../prepared-answer.http.js';
import type { PricedPlanView } from './plans.dto.js';
import type { PriceList } from './price-list.js';

@Route('config')
@Tags('Configuration')
export class ConfigPlansController extends Controller {
  constructor(private readonly prices: PriceList) {
    super();
  }

  /** Plans on offer for the pricing page, cheapest first. Answers 304 when `If-None-Match` names the current entity tag. */
  @Get('plans')
  @NoSecurity()
  async plans(@Request() request: express.Request): Promise<PricedPlanView[]> {
    return sendPrepared(request, await this.prices.current());
  }
}
