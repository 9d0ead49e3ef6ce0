import type { Plan } from '../plans/index.js';

type Prices = Pick<Plan, 'monthlyPrice' | 'yearlyPrice'>;

export function isFree({ monthlyPrice, yearlyPrice }: Prices): boolean {
  return monthlyPrice === 0 && yearlyPrice === 0;
}

/** True when the second plan costs more, by the month or by the year. */
export function isUpgrade(from: Prices, to: Prices): boolean {
  return to.monthlyPrice > from.monthlyPrice || to.yearlyPrice > from.yearlyPrice;
}

/** Plans on offer are everybody's; hidden ones are the platform's to give. */
export function offeredTo({ status }: Pick<Plan, 'status'>, byPlatform: boolean): boolean {
  return status === 'active' || (status === 'hidden' && byPlatform);
}
