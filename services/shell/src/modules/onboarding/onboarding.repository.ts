import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { ListQuery, Page } from '@satellite/kit/core';
import { findPage, type Database } from '@satellite/kit/db';
import { OnboardingRequest } from './onboarding-request.entity.js';
import type { OnboardingFields } from './onboarding.rules.js';

/** Requests are the platform's: those who send them have no organization yet. */
export class OnboardingRepository {
  constructor(private readonly db: Database) {}

  page(query: ListQuery): Promise<Page<OnboardingRequest>> {
    return findPage(this.db.em, OnboardingRequest, query, {}, 'id');
  }

  async find(id: string): Promise<OnboardingRequest | undefined> {
    return (await this.db.em.findOne(OnboardingRequest, { id })) ?? undefined;
  }

  /** The row as it is now, locked until the running transaction ends. */
  async lock(id: string): Promise<OnboardingRequest | undefined> {
    return (await this.db.em.findOne(OnboardingRequest, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })) ?? undefined;
  }

  flush(): Promise<void> {
    return this.db.em.flush();
  }

  /** Stores a request unless one of the applicant waits already; answers the id of the one that waits, and whether it is new. */
  async addUnlessPending(fields: OnboardingFields): Promise<{ id: string; isNew: boolean }> {
    const { orgName, orgType, contactEmail, firstName, lastName, applicantEmail, contactPhone, companySize, ssoInterest, subscriptionPlan } = fields;
    const [made] = await this.db.query<{ id: string }>(
      `insert into onboarding_requests (id, org_name, org_type, contact_email, first_name, last_name, applicant_email, contact_phone, company_size, sso_interest, subscription_plan, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now(), now()) on conflict (lower(applicant_email)) where status = 'pending' do nothing returning id`,
      [randomUUID(), orgName, orgType, contactEmail, firstName, lastName, applicantEmail, contactPhone, companySize, ssoInterest, subscriptionPlan],
    );
    if (made !== undefined) return { id: made.id, isNew: true };
    const [known] = await this.db.query<{ id: string }>(`select id from onboarding_requests where lower(applicant_email) = lower(?) and status = 'pending'`, [applicantEmail]);
    return known === undefined ? this.addUnlessPending(fields) : { id: known.id, isNew: false }; // decided in this moment: the next one may wait
  }
}
