import { Controller, Path, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../../error.dto.js';
import type { Uuid } from '../../../uuid.dto.js';
import type { SoldPlanView } from './payments.dto.js';
import type { PlanSales } from './plan-sales.service.js';

@Route('plans')
@Tags('Plans')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class PlanSalesController extends Controller {
  constructor(private readonly sales: PlanSales) {
    super();
  }

  /** Makes product and prices at the payment processor equal to the plan; prices that are replaced are archived. */
  @Post('{id}/sync-stripe')
  @Security('bearer', ['plans:write'])
  @SuccessResponse(200, 'Equal')
  @Response<ErrorView>(404, 'There is no such plan')
  @Response<ErrorView>(503, 'No payment processor, or it does not answer')
  async sync(@Path() id: Uuid): Promise<SoldPlanView> {
    const { processor, productId, prices } = await this.sales.sync(id);
    return { processor, productId, prices: prices.map(({ interval, priceId, amount, currency }) => ({ interval, priceId, amount, currency })) };
  }
}
