import { Migration } from '@mikro-orm/migrations';
import { IDEMPOTENCY_TABLE } from '@satellite/kit/db';

/**
 * Plans with their limits, subscriptions and usage counters. The three first plans are rows of this migration: they
 * are made once in the life of an installation, and what administrators make of them later is kept.
 */
export class M0004PlansAndQuotas extends Migration {
  override up(): void {
    this.plans();
    this.firstPlans();
    this.subscriptions();
    this.usage();
  }

  private plans(): void {
    this.addSql(`
      create table plans (
        id uuid primary key,
        code varchar(40) not null,
        name varchar(80) not null,
        tagline varchar(200),
        monthly_price numeric(12, 2) not null constraint plans_monthly_price_check check (monthly_price >= 0),
        yearly_price numeric(12, 2) not null constraint plans_yearly_price_check check (yearly_price >= 0),
        section text not null constraint plans_section_check check (section in ('individual', 'business')),
        cta_label varchar(60) not null,
        cta_link varchar(2048) not null,
        features jsonb not null default '[]',
        status text not null constraint plans_status_check check (status in ('active', 'hidden', 'deprecated')),
        service_ids uuid[] not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index plans_code_key on plans (lower(code))`);
    // no foreign key to app_limit_keys: an app that is taken out and comes back must find its limits again
    this.addSql(`
      create table plan_limits (
        plan_id uuid not null constraint plan_limits_plan_id_fkey references plans (id) on delete cascade,
        limit_key varchar(128) not null,
        limit_value bigint not null constraint plan_limits_limit_value_check check (limit_value >= -1),
        period text not null constraint plan_limits_period_check check (period in ('monthly', 'daily', 'total')),
        primary key (plan_id, limit_key)
      )`);
  }

  private firstPlans(): void {
    this.addSql(`
      insert into plans (id, code, name, tagline, monthly_price, yearly_price, section, cta_label, cta_link, features, status, created_at, updated_at) values
        (gen_random_uuid(), 'HOBBY', 'Hobby', 'To find out what the platform can do', 0, 0, 'individual', 'Start free', '/register?plan=HOBBY',
          '[{"label":"All apps","included":true},{"label":"3 people","included":true},{"label":"1,000 API calls a month","included":true},{"label":"Priority support","included":false}]', 'active', now(), now()),
        (gen_random_uuid(), 'PRO', 'Pro', 'For a team that works with it every day', 19, 190, 'individual', 'Choose Pro', '/register?plan=PRO',
          '[{"label":"All apps","included":true},{"label":"25 people","included":true},{"label":"100,000 API calls a month","included":true},{"label":"Priority support","included":false}]', 'active', now(), now()),
        (gen_random_uuid(), 'ENTERPRISE', 'Enterprise', 'For whole companies', 99, 990, 'business', 'Choose Enterprise', '/register?plan=ENTERPRISE',
          '[{"label":"All apps","included":true},{"label":"Any number of people","included":true},{"label":"Any number of API calls","included":true},{"label":"Priority support","included":true}]', 'active', now(), now())`);
    this.addSql(`
      insert into plan_limits (plan_id, limit_key, limit_value, period)
      select p.id, l.limit_key, l.limit_value, l.period from plans p join (values
        ('HOBBY', 'users', 3, 'total'), ('HOBBY', 'apps', 5, 'total'), ('HOBBY', 'api_calls', 1000, 'monthly'),
        ('PRO', 'users', 25, 'total'), ('PRO', 'apps', 50, 'total'), ('PRO', 'api_calls', 100000, 'monthly'),
        ('ENTERPRISE', 'users', -1, 'total'), ('ENTERPRISE', 'apps', -1, 'total'), ('ENTERPRISE', 'api_calls', -1, 'monthly')
      ) as l (code, limit_key, limit_value, period) on l.code = p.code`);
  }

  private subscriptions(): void {
    this.addSql(`
      create table subscriptions (
        id uuid primary key,
        organization_id uuid not null constraint subscriptions_organization_id_fkey references organizations (id) on delete cascade,
        plan_id uuid not null constraint subscriptions_plan_id_fkey references plans (id),
        status text not null constraint subscriptions_status_check check (status in ('trial', 'active', 'past_due', 'canceled', 'expired')),
        billing_interval text not null constraint subscriptions_billing_interval_check check (billing_interval in ('monthly', 'yearly')),
        current_period_start timestamptz(3) not null,
        current_period_end timestamptz(3) not null,
        lapses_at timestamptz(3),
        next_plan_id uuid constraint subscriptions_next_plan_id_fkey references plans (id),
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index subscriptions_organization_id_key on subscriptions (organization_id) where status <> 'expired'`);
    this.addSql(`create index subscriptions_due_index on subscriptions (least(lapses_at, current_period_end)) where status <> 'expired'`);
    this.addSql(`
      insert into subscriptions (id, organization_id, plan_id, status, billing_interval, current_period_start, current_period_end, created_at, updated_at)
      select gen_random_uuid(), o.id, p.id, 'active', 'monthly', now(), now() + interval '1 month', now(), now()
      from organizations o join plans p on p.code = o.subscription_plan`);
    // the one place that says which plan an organization has right now: until lapses_at its own, after it the next one,
    // and the free one when there is none. Nobody has to have run for a right to end.
    this.addSql(`
      create view organization_plans as
      select o.id as organization_id, coalesce(
        case when s.id is null then named.id when s.lapses_at is null or s.lapses_at > now() then s.plan_id else s.next_plan_id end,
        (select id from plans where code = 'HOBBY')) as plan_id
      from organizations o
      left join subscriptions s on s.organization_id = o.id and s.status <> 'expired'
      left join plans named on s.id is null and named.code = o.subscription_plan`);
  }

  private usage(): void {
    // half-empty pages: a counter is updated in place, again and again
    this.addSql(`
      create table usage_counters (
        organization_id uuid not null constraint usage_counters_organization_id_fkey references organizations (id) on delete cascade,
        limit_key varchar(128) not null,
        used bigint not null constraint usage_counters_used_check check (used >= 0),
        window_start timestamptz(3) not null,
        primary key (organization_id, limit_key)
      ) with (fillfactor = 50)`);
    this.addSql(IDEMPOTENCY_TABLE);
  }
}
