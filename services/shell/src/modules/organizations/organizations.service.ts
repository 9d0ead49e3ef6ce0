import { parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { requireMatch } from '@satellite/kit/http';
import { actsOnAll, type UserActor } from '../../actor.js';
import { snapshot } from '../audit/index.js';
import type { AccessChanges } from '../roles/index.js';
import type { User } from '../users/index.js';
import { PLATFORM_SLUG } from '../../tenancy.js';
import { ORGANIZATION_STATUSES, type Organization, type OrganizationStatus } from './organization.entity.js';
import { parseOrganization, type OrganizationFields } from './organization.rules.js';
import { OrganizationNotFound, PlatformNotSuspendable, StatusIsThePlatforms } from './organizations.errors.js';
import { assertReaches } from './organizations.policy.js';
import type { OrganizationsRepository } from './organizations.repository.js';
import type { NewOrganization, OrganizationPlans, Provisioned, Provisioning } from './provisioning.js';

const LIST_RULES: ListRules = {
  fields: { name: 'string', slug: 'string', type: 'string', domain: 'string', subscriptionPlan: 'string', status: { oneOf: ORGANIZATION_STATUSES }, createdAt: 'timestamp', updatedAt: 'timestamp' },
  sort: ['name', 'slug', 'type', 'status', 'subscriptionPlan', 'createdAt', 'updatedAt'],
  defaultSort: 'name',
};

/** An organization with the first of its people. */
export interface OrganizationWithUsers {
  readonly organization: Organization;
  readonly users: readonly User[];
  readonly userCount: number;
}

export interface OrganizationChanges extends Partial<OrganizationFields> {
  readonly status?: OrganizationStatus | undefined;
}

export interface OrganizationsServiceDeps {
  readonly organizations: OrganizationsRepository;
  readonly access: AccessChanges;
  readonly provisioning: Provisioning;
  readonly plans: OrganizationPlans;
}

/** Organizations as their administrators and the platform's see them. */
export class OrganizationsService {
  constructor(private readonly deps: OrganizationsServiceDeps) {}

  /** Of the whole platform: the route's permission is the platform's. */
  list(parameters: ListParameters): Promise<Page<Organization>> {
    return this.deps.organizations.pageOfAll(parseListQuery(parameters, LIST_RULES));
  }

  async get(actor: UserActor, id: string): Promise<OrganizationWithUsers> {
    const organization = await this.reachable(actor, id);
    const { users, total } = await this.deps.organizations.usersOf(organization.id);
    return { organization, users, userCount: total };
  }

  /** Changes what is given. Throws OrganizationNotFound, StaleRecord, InvalidFields, StatusIsThePlatforms or PlatformNotSuspendable. */
  async update(actor: UserActor, id: string, changes: OrganizationChanges, ifMatch?: string): Promise<Organization> {
    return this.changing(actor, id, async (organization) => {
      requireMatch(ifMatch, organization.version);
      const { status = organization.status, ...given } = changes;
      const { name, type, domain } = organization;
      const fields = parseOrganization({ name: given.name ?? name, type: given.type ?? type, domain: given.domain === undefined ? (domain ?? null) : given.domain });
      if (status !== organization.status) await this.beforeStatusChange(actor, organization, status);
      Object.assign(organization, fields, { status });
    });
  }

  /** Puts the organization on a plan: any by the platform, one that need not be paid for by its own people. Throws OrganizationNotFound or InvalidFields. */
  async setPlan(actor: UserActor, id: string, planCode: string): Promise<void> {
    const { id: organizationId } = await this.reachable(actor, id);
    await this.deps.plans.switchPlan({ organizationId, planCode, byPlatform: actsOnAll(actor), action: 'organizations.set_plan' });
  }

  /**
   * Makes an organization with its first person, who administers it; joins a running transaction. Throws InvalidFields, QuotaExceeded,
   * OrganizationSlugInUse, EmailInUse or UsernameInUse.
   */
  provision(given: NewOrganization): Promise<Provisioned> {
    return this.deps.provisioning.provision(given);
  }

  private async beforeStatusChange(actor: UserActor, organization: Organization, status: OrganizationStatus): Promise<void> {
    if (!actsOnAll(actor)) throw new StatusIsThePlatforms();
    if (status === 'suspended' && organization.slug === PLATFORM_SLUG) throw new PlatformNotSuspendable();
    const ended = await this.deps.organizations.endSessions(organization.id);
    if (status === 'suspended') await this.deps.access.revokeOrganization(organization.id);
    else await this.deps.access.revokeSessions(ended); // sign-ins that raced the suspension must not come back to life
  }

  private async reachable(actor: UserActor, id: string): Promise<Organization> {
    assertReaches(actor, id);
    const organization = await this.deps.organizations.find(id, id);
    if (organization === undefined) throw new OrganizationNotFound();
    return organization;
  }

  private async changing(actor: UserActor, id: string, work: (organization: Organization) => Promise<void>): Promise<Organization> {
    await this.reachable(actor, id); // a 404 needs no lock
    return this.deps.access.run(id, async () => {
      const organization = await this.deps.organizations.lock(id, id);
      if (organization === undefined) throw new OrganizationNotFound();
      const before = snapshot('organization', organization);
      await work(organization);
      await this.deps.organizations.flush();
      await this.deps.access.record({ action: 'organizations.update', organizationId: organization.id, target: { type: 'organization', id: organization.id }, before, after: snapshot('organization', organization) });
      return organization;
    });
  }
}
