import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import { DeliveryTable, type Delivery } from '@satellite/kit/jobs';
import type { BillingInterval, Subscription } from '../subscription.entity.js';
import type { ProcessorTasks } from '../subscriptions.service.js';

/** A price of a plan at the processor. */
export interface PlanPrice {
  readonly priceId: string;
  readonly planId: string;
  readonly productId: string;
  readonly interval: BillingInterval;
  readonly amount: number;
  readonly currency: string;
  readonly active: boolean;
}

export interface Customer {
  readonly customerId: string;
  readonly openCheckoutId: string | null;
}

export interface PaymentTask extends Delivery {
  readonly kind: 'cancel_now' | 'cancel_at_period_end' | 'go_on' | 'change_price';
  readonly subscriptionId: string;
  readonly priceId: string | null;
}

const PRICE = `select price_id as "priceId", plan_id as "planId", product_id as "productId", billing_interval as "interval", amount::float8 as amount, trim(currency) as currency, active from plan_prices`;

/** What a processor knows of us, and what it still has to be told. */
export class PaymentsRepository implements ProcessorTasks {
  /** What the processor has to be told; of one subscription in order, or the last word would not be the last. */
  readonly tasks: DeliveryTable<PaymentTask>;

  constructor(
    private readonly db: Database,
    private readonly processor: string,
  ) {
    this.tasks = new DeliveryTable(db, { table: 'payment_tasks', columns: 'kind, subscription_id as "subscriptionId", price_id as "priceId"', orderBy: 'created_at', inOrderOf: 'subscription_id' });
  }

  async customer(organizationId: string): Promise<Customer | undefined> {
    const [row] = await this.db.query<Customer>('select customer_id as "customerId", open_checkout_id as "openCheckoutId" from payment_customers where organization_id = ? and processor = ?', [organizationId, this.processor]);
    return row;
  }

  /** Keeps the first one when two came at once. */
  async addCustomer(organizationId: string, customerId: string): Promise<void> {
    await this.db.query('insert into payment_customers (organization_id, processor, customer_id, created_at) values (?, ?, ?, now()) on conflict (organization_id, processor) do nothing', [organizationId, this.processor, customerId]);
  }

  async setOpenCheckout(organizationId: string, checkoutId: string): Promise<void> {
    await this.db.query('update payment_customers set open_checkout_id = ? where organization_id = ? and processor = ?', [checkoutId, organizationId, this.processor]);
  }

  async organizationOf(customerId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>('select organization_id as id from payment_customers where processor = ? and customer_id = ?', [this.processor, customerId]);
    return row?.id;
  }

  /** Name and address under which the processor gets to know an organization. */
  async contact(organizationId: string, userId: string): Promise<{ name: string; email: string }> {
    const [row] = await this.db.query<{ name: string; email: string }>('select o.name, u.email from organizations o join users u on u.organization_id = o.id where o.id = ? and u.id = ?', [organizationId, userId]);
    if (row === undefined) throw new Error('the person who asks is not in the organization');
    return row;
  }

  prices(planId: string): Promise<PlanPrice[]> {
    return this.db.query<PlanPrice>(`${PRICE} where processor = ? and plan_id = ? order by created_at, price_id`, [this.processor, planId]);
  }

  async price(priceId: string): Promise<PlanPrice | undefined> {
    const [row] = await this.db.query<PlanPrice>(`${PRICE} where processor = ? and price_id = ?`, [this.processor, priceId]);
    return row;
  }

  /** Makes the price the one that is sold. */
  sell({ planId, interval, priceId, productId, amount, currency }: Omit<PlanPrice, 'active'>): Promise<void> {
    return this.db.run(async () => {
      await this.db.query('select from plans where id = ? for no key update', [planId]);
      await this.stopSelling(planId, interval);
      await this.db.query(
        `insert into plan_prices (processor, price_id, plan_id, product_id, billing_interval, amount, currency, active, created_at) values (?, ?, ?, ?, ?, ?, ?, true, now())
         on conflict (processor, price_id) do update set active = true`,
        [this.processor, priceId, planId, productId, interval, amount, currency],
      );
    });
  }

  async stopSelling(planId: string, interval: BillingInterval): Promise<void> {
    await this.db.query('update plan_prices set active = false where processor = ? and plan_id = ? and billing_interval = ? and active', [this.processor, planId, interval]);
  }

  async nextSyncNumber(): Promise<number> {
    const [row] = await this.db.query<{ number: string }>(`select nextval('payment_sync_numbers') as number`);
    return Number(row?.number);
  }

  /** Says something to the processor once the running transaction is committed; nothing to say of what nobody is paid for. */
  async add({ organizationId, processor, processorSubscriptionId, interval }: Pick<Subscription, 'organizationId' | 'processor' | 'processorSubscriptionId' | 'interval'>, kind: PaymentTask['kind'], planId?: string): Promise<void> {
    if (processorSubscriptionId == null || processor !== this.processor) return;
    const price = planId === undefined ? undefined : (await this.prices(planId)).find((found) => found.active && found.interval === interval);
    await this.db.query('insert into payment_tasks (id, organization_id, kind, subscription_id, price_id, next_attempt_at, created_at) values (?, ?, ?, ?, ?, now(), clock_timestamp())', [randomUUID(), organizationId, kind, processorSubscriptionId, price?.priceId ?? null]);
    this.tasks.added();
  }

  /** True when we have decided that a subscription ends, whatever the processor says of it until it knows. */
  async isBeingCanceled(subscriptionId: string): Promise<boolean> {
    return (await this.db.query(`select from payment_tasks where subscription_id = ? and kind = 'cancel_now'`, [subscriptionId])).length > 0;
  }
}
