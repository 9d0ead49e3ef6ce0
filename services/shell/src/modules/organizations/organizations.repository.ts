import type { ListQuery, Page } from '@satellite/kit/core';
import type { FilterQuery } from '@mikro-orm/core';
import { findPage, type Database } from '@satellite/kit/db';
import { TenantRepository } from '../../tenant.repository.js';
import { User } from '../users/index.js';
import { Organization } from './organization.entity.js';

/** Members that are shown with an organization; GET /users pages through all. */
export const SHOWN_USERS = 100;

/** Organizations; one sees itself, and nothing else of this table. */
export class OrganizationsRepository extends TenantRepository<Organization> {
  constructor(db: Database) {
    super(db, Organization);
  }

  protected override visibleTo(organizationId: string): FilterQuery<Organization> {
    return { id: organizationId };
  }

  /** Of the whole platform. */
  pageOfAll(query: ListQuery): Promise<Page<Organization>> {
    return findPage(this.db.em, Organization, query, {}, 'id');
  }

  /** The first people of an organization, and how many there are. */
  async usersOf(organizationId: string): Promise<{ users: User[]; total: number }> {
    const [users, total] = await this.db.em.findAndCount(User, { organizationId }, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: SHOWN_USERS });
    return { users, total };
  }

  /** Stores the organization unless its slug is taken; says whether it did. A slug that is being taken right now is waited for. */
  async addUnlessTaken({ id, name, slug, type, subscriptionPlan }: Pick<Organization, 'id' | 'name' | 'slug' | 'type' | 'subscriptionPlan'>): Promise<boolean> {
    const made = await this.db.query(
      'insert into organizations (id, name, slug, type, subscription_plan, created_at, updated_at) values (?, ?, ?, ?, ?, now(), now()) on conflict (slug) do nothing returning id',
      [id, name, slug, type, subscriptionPlan],
    );
    return made.length > 0;
  }

  /** Ends the sessions of everybody in the organization; answers their ids. */
  async endSessions(organizationId: string): Promise<string[]> {
    const ended = await this.db.query<{ id: string }>(`update sessions set ended_at = now(), end_reason = 'suspended' where organization_id = ? and ended_at is null returning id`, [organizationId]);
    return ended.map(({ id }) => id);
  }
}
