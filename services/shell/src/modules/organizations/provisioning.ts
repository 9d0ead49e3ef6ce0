import { randomBytes, randomUUID } from 'node:crypto';
import { snapshot, type AuditAction } from '../audit/index.js';
import { SYSTEM_ROLES, type AccessChanges, type GrantsRepository } from '../roles/index.js';
import { parsePerson, takenBy, User, type PersonFields, type UsersRepository } from '../users/index.js';
import { parseNewOrganization, slugOf } from './organization.rules.js';
import { OrganizationSlugInUse } from './organizations.errors.js';
import type { OrganizationsRepository } from './organizations.repository.js';

/** An organization that does not exist yet, and its first person. */
export interface NewOrganization {
  readonly name: string;
  /** Derived from the name, with a suffix when that is taken, unless given. */
  readonly slug?: string | undefined;
  readonly type: string;
  readonly plan: string;
  /** The platform gives the plan: any that is not deprecated, without payment. Else one on offer, of which those that cost something begin as a trial. */
  readonly planByPlatform?: boolean;
  /** passwordHash null: the person will be invited, or signs in through a provider. */
  readonly owner: PersonFields & { readonly passwordHash: string | null };
  /** What the first person did to get it, for the audit trail; absent: somebody else made it for them; null: the caller records what happened. */
  readonly action?: AuditAction | null;
}

export interface Provisioned {
  readonly organizationId: string;
  /** Of the first person. */
  readonly userId: string;
}

/** What organizations need to know of plans; the subscriptions module supplies it. */
export interface OrganizationPlans {
  /** Puts a new organization on its first plan, in the transaction that makes it; `byPlatform` whether or not it is paid for. Throws InvalidFields. */
  begin(organizationId: string, planCode: string, how: { readonly byPlatform: boolean }): Promise<void>;
  /** Puts an organization on another plan; `byPlatform` whether or not it is paid for. Throws InvalidFields, and what refuses plans that cost something. */
  switchPlan(wish: { readonly organizationId: string; readonly planCode: string; readonly byPlatform: boolean; readonly action: AuditAction }): Promise<void>;
}

/** How many people a plan allows; the subscriptions module supplies it. */
export interface PeopleQuota {
  /** Throws QuotaExceeded when the plan has no room for one more; called with the organization locked. */
  assertRoom(organizationId: string, limitKey: 'users'): Promise<void>;
}

export interface ProvisioningDeps {
  readonly organizations: OrganizationsRepository;
  readonly users: UsersRepository;
  readonly grants: GrantsRepository;
  readonly access: AccessChanges;
  readonly plans: OrganizationPlans;
  readonly quota: PeopleQuota;
}

const SUFFIX_BYTES = 3;
const MAX_TRIES = 5;

/** Makes organizations: row, first person and their role in one transaction, so that nothing half-made stays. */
export class Provisioning {
  constructor(private readonly deps: ProvisioningDeps) {}

  async provision({ owner: { passwordHash, ...person }, action, planByPlatform = false, ...given }: NewOrganization): Promise<Provisioned> {
    const { users, grants, access, plans, quota } = this.deps;
    const fields = parseNewOrganization(given);
    const owner = Object.assign(new User(), parsePerson(person), { id: randomUUID(), passwordHash });
    const id = randomUUID();
    try {
      return await access.run(id, async () => {
        await this.addOrganization(id, fields);
        await plans.begin(id, fields.plan, { byPlatform: planByPlatform });
        await quota.assertRoom(id, 'users');
        await users.add(Object.assign(owner, { organizationId: id }));
        await grants.addSystemRole(owner.id, SYSTEM_ROLES.owner);
        if (action !== null) await this.record(action, id, fields, owner);
        return { organizationId: id, userId: owner.id };
      });
    } catch (error) {
      throw takenBy(error);
    }
  }

  private record(action: AuditAction | undefined, id: string, { name, type, plan }: ReturnType<typeof parseNewOrganization>, { id: ownerId, email, username }: User): Promise<void> {
    const after = snapshot('organization', { name, type, planCode: plan, ownerId, ownerEmail: email });
    const event = { organizationId: id, target: { type: 'organization', id }, after } as const;
    return this.deps.access.record(action === undefined ? { ...event, action: 'organizations.create' } : { ...event, action, actor: { kind: 'user', id: ownerId, name: username } });
  }

  /** Two names often make one slug; a few random letters tell them apart. */
  private async addOrganization(id: string, { name, type, plan, slug }: ReturnType<typeof parseNewOrganization>): Promise<void> {
    const first = slug ?? slugOf(name);
    const row = { id, name, type, subscriptionPlan: plan };
    if (await this.deps.organizations.addUnlessTaken({ ...row, slug: first })) return;
    for (let tries = 0; slug === undefined && tries < MAX_TRIES; tries += 1) {
      if (await this.deps.organizations.addUnlessTaken({ ...row, slug: `${first}-${randomBytes(SUFFIX_BYTES).toString('hex')}` })) return;
    }
    throw new OrganizationSlugInUse(first);
  }
}
