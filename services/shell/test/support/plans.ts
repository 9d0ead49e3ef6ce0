import { randomUUID } from 'node:crypto';
import type { TestShell } from './shell.js';

export interface PlanOptions {
  readonly monthlyPrice?: number;
  readonly yearlyPrice?: number;
  readonly status?: string;
  readonly serviceIds?: readonly string[];
  readonly limits?: readonly { readonly limitKey: string; readonly limitValue: number; readonly period: string }[];
}

/** A plan, straight into the tables; answers its code. */
export async function planWith(shell: TestShell, { monthlyPrice = 0, yearlyPrice = monthlyPrice * 10, status = 'active', serviceIds = [], limits = [] }: PlanOptions = {}): Promise<string> {
  const [id, code] = [randomUUID(), `P_${randomUUID().slice(0, 8)}`];
  await shell.query(
    `insert into plans (id, code, name, monthly_price, yearly_price, section, cta_label, cta_link, status, service_ids, created_at, updated_at) values (?, ?, ?, ?, ?, 'business', 'Choose', '/register', ?, ?, now(), now())`,
    [id, code, code, monthlyPrice, yearlyPrice, status, serviceIds],
  );
  for (const { limitKey, limitValue, period } of limits) await shell.query('insert into plan_limits (plan_id, limit_key, limit_value, period) values (?, ?, ?, ?)', [id, limitKey, limitValue, period]);
  return code;
}

/** An organization that is on the plan since now; answers its id. */
export async function organizationOn(shell: TestShell, planCode: string): Promise<string> {
  const { id } = await shell.organization();
  await shell.query('update organizations set subscription_plan = ? where id = ?', [planCode, id]);
  await shell.shell.container.subscriptions.current(id);
  return id;
}
