import { Migration } from '@mikro-orm/migrations';

/**
 * What the payment processor knows of our organizations and plans, its events, and what it still has to be told. The
 * local processor of the embedded default keeps its own books in `local_payment_objects`; nobody else reads them.
 */
export class M0005Payments extends Migration {
  override up(): void {
    this.addSql(`
      create table payment_customers (
        organization_id uuid not null constraint payment_customers_organization_id_fkey references organizations (id) on delete cascade,
        processor text not null,
        customer_id varchar(128) not null,
        open_checkout_id varchar(255),
        created_at timestamptz(3) not null,
        primary key (organization_id, processor),
        constraint payment_customers_customer_id_key unique (processor, customer_id)
      )`);
    this.addSql(`
      create table plan_prices (
        processor text not null,
        price_id varchar(128) not null,
        plan_id uuid not null constraint plan_prices_plan_id_fkey references plans (id),
        product_id varchar(128) not null,
        billing_interval text not null constraint plan_prices_billing_interval_check check (billing_interval in ('monthly', 'yearly')),
        amount bigint not null constraint plan_prices_amount_check check (amount > 0),
        currency char(3) not null,
        active boolean not null,
        created_at timestamptz(3) not null,
        primary key (processor, price_id)
      )`);
    this.addSql(`create unique index plan_prices_active_key on plan_prices (processor, plan_id, billing_interval) where active`);
    this.addSql(`alter table subscriptions add column processor text, add column processor_subscription_id varchar(128), add column sync_number bigint not null default 0`);
    // taken before the processor is asked: of two answers the one that was asked for later is the newer one
    this.addSql(`create sequence payment_sync_numbers`);
    this.addSql(`create index subscriptions_processor_subscription_id_index on subscriptions (processor_subscription_id) where processor_subscription_id is not null`);
    // the event's id is the key: however often it is delivered, it is stored and takes effect once
    this.addSql(`
      create table payment_events (
        id varchar(255) primary key,
        processor text not null,
        type varchar(128) not null,
        subscription_id varchar(128),
        created_at timestamptz(3) not null,
        payload jsonb not null,
        status text not null default 'pending' constraint payment_events_status_check check (status in ('pending', 'done', 'dead')),
        attempts int not null default 0,
        next_attempt_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        processed_at timestamptz(3),
        last_error varchar(500)
      )`);
    this.addSql(`create index payment_events_next_attempt_at_index on payment_events (next_attempt_at) where status = 'pending'`);
    // told after the commit that makes it true, and again until the processor has heard
    this.addSql(`
      create table payment_tasks (
        id uuid primary key,
        organization_id uuid not null constraint payment_tasks_organization_id_fkey references organizations (id) on delete cascade,
        kind text not null constraint payment_tasks_kind_check check (kind in ('cancel_now', 'cancel_at_period_end', 'go_on', 'change_price')),
        subscription_id varchar(128) not null,
        price_id varchar(128),
        status text not null default 'pending' constraint payment_tasks_status_check check (status in ('pending', 'done', 'dead')),
        attempts int not null default 0,
        next_attempt_at timestamptz(3) not null,
        created_at timestamptz(6) not null,
        last_error varchar(500)
      )`);
    this.addSql(`create index payment_tasks_next_attempt_at_index on payment_tasks (next_attempt_at) where status = 'pending'`);
    this.addSql(`
      create table local_payment_objects (
        id varchar(255) primary key,
        kind text not null,
        customer_id varchar(128),
        data jsonb not null,
        due_at timestamptz(3),
        seq bigint not null generated always as identity
      )`);
    this.addSql(`create index local_payment_objects_customer_id_index on local_payment_objects (customer_id, kind)`);
    this.addSql(`create index local_payment_objects_due_at_index on local_payment_objects (due_at) where due_at is not null`);
  }
}
