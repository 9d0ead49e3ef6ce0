import { Migration } from '@mikro-orm/migrations';
import { DELIVERY_COLUMNS, SCHEDULED_JOBS_TABLE } from '@satellite/kit/jobs';

/**
 * Onboarding requests, scheduled jobs, and one shape for everything that is delivered: mails and the local processor's
 * events get the columns that payment events and tasks have had.
 */
export class M0006OnboardingAndJobs extends Migration {
  override up(): void {
    this.addSql(SCHEDULED_JOBS_TABLE);
    this.deliveries();
    this.onboarding();
    // removals are forgotten one day; a cache that is older than the last one that was forgotten has to be built anew
    this.addSql(`alter table app_removals add column removed_at timestamptz(3) not null default now()`);
    this.addSql(`alter table registry_state add column forgotten_up_to bigint not null default 0`);
  }

  private deliveries(): void {
    this.addSql(`alter table mail_outbox add column status text not null default 'pending' constraint mail_outbox_status_check check (status in ('pending', 'done', 'dead')), alter column next_attempt_at set default now()`);
    this.addSql(`update mail_outbox set status = case when sent_at is not null then 'done' else 'dead' end where sent_at is not null or body = ''`);
    this.addSql(`drop index mail_outbox_next_attempt_at_index`);
    this.addSql(`create index mail_outbox_next_attempt_at_index on mail_outbox (next_attempt_at) where status = 'pending'`);
    this.addSql(`create index payment_tasks_subscription_id_index on payment_tasks (subscription_id)`);
    this.addSql(`
      create table local_payment_events (
        id varchar(255) primary key,
        event jsonb not null,
        seq bigint not null generated always as identity,
        created_at timestamptz(3) not null default now(),
        ${DELIVERY_COLUMNS}
      )`);
    this.addSql(`create index local_payment_events_next_attempt_at_index on local_payment_events (next_attempt_at) where status = 'pending'`);
    this.addSql(`insert into local_payment_events (id, event) select id, data from local_payment_objects where kind = 'event' and due_at is not null order by seq`);
    this.addSql(`delete from local_payment_objects where kind = 'event'`);
    this.addSql(`alter table local_payment_objects add column created_at timestamptz(3) not null default now()`);
  }

  private onboarding(): void {
    this.addSql(`
      create table onboarding_requests (
        id uuid primary key,
        org_name varchar(200) not null,
        org_type varchar(40) not null,
        contact_email varchar(254) not null,
        first_name varchar(100) not null,
        last_name varchar(100) not null,
        applicant_email varchar(254) not null,
        contact_phone varchar(40),
        company_size int not null constraint onboarding_requests_company_size_check check (company_size > 0),
        sso_interest boolean not null,
        subscription_plan varchar(40),
        status text not null default 'pending' constraint onboarding_requests_status_check check (status in ('pending', 'approved', 'rejected')),
        reason varchar(1000),
        decided_by uuid,
        decided_at timestamptz(3),
        provisioned_organization_id uuid,
        provisioned_user_id uuid,
        version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    // one that waits is enough for an address; what was decided is history
    this.addSql(`create unique index onboarding_requests_applicant_email_key on onboarding_requests (lower(applicant_email)) where status = 'pending'`);
    this.addSql(`create index onboarding_requests_created_at_index on onboarding_requests (created_at)`);
  }
}
