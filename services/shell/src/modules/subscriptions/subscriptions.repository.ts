import type { FilterQuery } from '@mikro-orm/core';
import type { Database } from '@satellite/kit/db';
import { TenantRepository } from '../../tenant.repository.js';
import { Subscription } from './subscription.entity.js';

/** Organizations that are looked at in one go of the clock. */
const BATCH = 100;

/** A period that has begun by itself. */
export interface RolledPeriod {
  readonly id: string;
  readonly organizationId: string;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
}

/** Subscriptions that are not over; an organization sees its own. */
export class SubscriptionsRepository extends TenantRepository<Subscription> {
  constructor(db: Database) {
    super(db, Subscription);
  }

  protected override visibleTo(organizationId: string): FilterQuery<Subscription> {
    return { organizationId, status: { $ne: 'expired' } };
  }

  async current(organizationId: string): Promise<Subscription | undefined> {
    return (await this.db.em.findOne(Subscription, this.visibleTo(organizationId))) ?? undefined;
  }

  /** The same, for a transaction that has locked the organization and may have an older copy in hand. */
  async currentLocked(organizationId: string): Promise<Subscription | undefined> {
    return (await this.db.em.findOne(Subscription, this.visibleTo(organizationId), { refresh: true })) ?? undefined;
  }

  /** Code of the plan that the organization's own row names; undefined when there is no such organization. */
  async namedPlan(organizationId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ code: string }>('select subscription_plan as code from organizations where id = ?', [organizationId]);
    return row?.code;
  }

  /** Writes the plan into the organization's own row, which shows it; a change of it is a change of the organization. */
  async namePlan(organizationId: string, planCode: string): Promise<void> {
    await this.db.query('update organizations set subscription_plan = ?, version = version + 1, updated_at = now() where id = ? and subscription_plan <> ?', [planCode, organizationId, planCode]);
  }

  /** Counts as a change, so that what is derived from the version is new. */
  async touch(organizationId: string): Promise<void> {
    await this.db.query(`update subscriptions set version = version + 1 where organization_id = ? and status <> 'expired'`, [organizationId]);
  }

  /** Organizations whose right to their plan has ended and who have not been moved on yet. */
  async lapsed(): Promise<string[]> {
    const rows = await this.db.query<{ organizationId: string }>(`select organization_id as "organizationId" from subscriptions where status <> 'expired' and least(lapses_at, current_period_end) <= now() and lapses_at <= now() limit ?`, [BATCH]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Begins the next period of those that go on by themselves; answers which. */
  async rollPeriods(): Promise<RolledPeriod[]> {
    const rows = await this.db.query<{ id: string; organizationId: string; start: string; end: string }>(
      `update subscriptions set current_period_start = current_period_end, version = version + 1, updated_at = now(),
         current_period_end = current_period_end + case billing_interval when 'yearly' then interval '1 year' else interval '1 month' end
       where id in (select id from subscriptions where status = 'active' and processor is null and least(lapses_at, current_period_end) <= now() and lapses_at is null order by id limit ? for update skip locked)
       returning id, organization_id as "organizationId", current_period_start as start, current_period_end as "end"`,
      [BATCH],
    );
    return rows.map(({ start, end, ...row }) => ({ ...row, currentPeriodStart: new Date(start), currentPeriodEnd: new Date(end) }));
  }
}
