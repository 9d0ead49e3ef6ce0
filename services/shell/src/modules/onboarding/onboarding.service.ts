import { InvalidFields, parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { kept, type Database } from '@satellite/kit/db';
import { requireMatch } from '@satellite/kit/http';
import { snapshot, type AuditAction, type AuditTrail } from '../audit/index.js';
import type { UserActor } from '../auth/index.js';
import type { OrganizationsService } from '../organizations/index.js';
import { FREE_PLAN } from '../plans/index.js';
import { EmailInUse, UsernameInUse } from '../users/index.js';
import { ONBOARDING_STATUSES, type OnboardingRequest } from './onboarding-request.entity.js';
import { AlreadyDecided, ApplicantHasAccount, OnboardingRequestNotFound, RequestedPlanNotOffered } from './onboarding.errors.js';
import type { OnboardingRepository } from './onboarding.repository.js';
import { parseOnboarding, parseReason } from './onboarding.rules.js';

const LIST_RULES: ListRules = {
  fields: {
    orgName: 'string', orgType: 'string', contactEmail: 'string', firstName: 'string', lastName: 'string', applicantEmail: 'string', companySize: 'number', ssoInterest: 'boolean', subscriptionPlan: 'string',
    status: { oneOf: ONBOARDING_STATUSES }, createdAt: 'timestamp', decidedAt: 'timestamp',
  },
  sort: ['orgName', 'orgType', 'applicantEmail', 'companySize', 'status', 'createdAt', 'decidedAt'],
  defaultSort: '-createdAt',
};
/** Two applicants may be called alike in one moment. */
const MAX_TRIES = 3;

/** What the administrator of a new organization takes. */
export interface Newcomers {
  /** A free user name like the wish. */
  username(wish: string): Promise<string>;
  /** Tells somebody how to set their first password: writes rows in the running transaction, sends nothing itself. */
  invite(userId: string, email: string): Promise<void>;
}

/** Apps of organizations. */
export interface AppSwitches {
  /** Runs `work` in a transaction with nobody else switching anything. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Joins the running transaction. Throws InvalidFields or QuotaExceeded. */
  switchOn(organizationId: string, appIds: readonly string[]): Promise<void>;
}

export interface OnboardingServiceDeps {
  readonly db: Database;
  readonly requests: OnboardingRepository;
  readonly organizations: Pick<OrganizationsService, 'provision'>;
  readonly newcomers: Newcomers;
  readonly apps: AppSwitches;
  readonly audit: AuditTrail;
}

/** What the approver decides beyond the yes. */
export interface Approval {
  /** A plan that the platform gives, without payment; the one that was asked for unless given. */
  readonly planCode?: string | undefined;
  /** Apps to switch on beside those that everybody has. */
  readonly appIds?: readonly string[] | undefined;
}

/** How organizations come to the platform that do not register by themselves. */
export class OnboardingService {
  constructor(private readonly deps: OnboardingServiceDeps) {}

  /**
   * Takes a request. Says the same whether or not somebody has an account with the address; one request of an
   * applicant waits at a time, and the first one counts. Throws InvalidFields.
   */
  async submit(given: object): Promise<{ readonly id: string }> {
    const fields = parseOnboarding(given);
    return this.deps.db.run(async () => {
      const { id, isNew } = await this.deps.requests.addUnlessPending(fields);
      if (isNew) await this.deps.audit.record({ action: 'onboarding.submit', organizationId: null, target: { type: 'onboarding_request', id }, after: snapshot('onboarding_request', { ...fields, status: 'pending' }) });
      return kept({ id });
    });
  }

  list(parameters: ListParameters): Promise<Page<OnboardingRequest>> {
    return this.deps.requests.page(parseListQuery(parameters, LIST_RULES));
  }

  async get(id: string): Promise<OnboardingRequest> {
    const request = await this.deps.requests.find(id);
    if (request === undefined) throw new OnboardingRequestNotFound();
    return request;
  }

  /**
   * Makes the organization, its administrator with an invitation, its plan and its apps, all of it or nothing, and once,
   * however often it is asked for. Throws OnboardingRequestNotFound, StaleRecord, AlreadyDecided, ApplicantHasAccount,
   * RequestedPlanNotOffered, QuotaExceeded or InvalidFields.
   */
  async approve(actor: UserActor, id: string, approval: Approval, ifMatch?: string): Promise<OnboardingRequest> {
    await this.get(id); // a 404 needs no lock
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.approveOnce(actor, id, approval, ifMatch);
      } catch (error) {
        if (!(error instanceof UsernameInUse) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private approveOnce(actor: UserActor, id: string, approval: Approval, ifMatch: string | undefined): Promise<OnboardingRequest> {
    const { newcomers, apps } = this.deps;
    const work = async (request: OnboardingRequest): Promise<void> => {
      if (request.status === 'approved') return;
      requireMatch(ifMatch, request.version);
      if (request.status === 'rejected') throw new AlreadyDecided(request.status);
      const made = await this.provision(request, approval.planCode);
      await newcomers.invite(made.userId, request.applicantEmail);
      await apps.switchOn(made.organizationId, approval.appIds ?? []);
      request.approve(actor.userId, made);
    };
    return apps.inTurn(() => this.deciding(id, 'onboarding.approve', work)); // the registry's lock goes before all others
  }

  /** Throws OnboardingRequestNotFound, StaleRecord, AlreadyDecided or InvalidFields. */
  async reject(actor: UserActor, id: string, reason: string, ifMatch?: string): Promise<OnboardingRequest> {
    const text = parseReason(reason);
    await this.get(id);
    return this.deciding(id, 'onboarding.reject', (request) => {
      requireMatch(ifMatch, request.version);
      if (request.status !== 'pending') throw new AlreadyDecided(request.status);
      request.reject(actor.userId, text);
    });
  }

  /** Runs `decide` with the request locked: whoever comes second sees what the first one decided. */
  private deciding(id: string, action: AuditAction, decide: (request: OnboardingRequest) => Promise<void> | void): Promise<OnboardingRequest> {
    const { db, requests, audit } = this.deps;
    return db.run(async () => {
      const request = await requests.lock(id);
      if (request === undefined) throw new OnboardingRequestNotFound();
      const before = snapshot('onboarding_request', request);
      await decide(request);
      await requests.flush();
      // an approval is the first entry in the trail of the organization that it makes
      await audit.record({ action, organizationId: request.organizationId ?? null, target: { type: 'onboarding_request', id }, before, after: snapshot('onboarding_request', request), ifChanged: true });
      return request;
    });
  }

  private async provision(request: OnboardingRequest, planCode: string | undefined): Promise<{ organizationId: string; userId: string }> {
    const { orgName: name, orgType: type, applicantEmail: email, firstName, lastName, subscriptionPlan } = request;
    const username = await this.deps.newcomers.username(email.split('@')[0] ?? '');
    const plan = planCode ?? subscriptionPlan ?? FREE_PLAN;
    try {
      return await this.deps.organizations.provision({ name, type, plan, planByPlatform: planCode !== undefined, action: null, owner: { email, username, firstName, lastName, passwordHash: null } });
    } catch (error) {
      if (error instanceof EmailInUse) throw new ApplicantHasAccount();
      const isAboutPlan = error instanceof InvalidFields && error.fields.some(({ field }) => field === 'plan');
      if (!isAboutPlan) throw error;
      throw planCode === undefined ? new RequestedPlanNotOffered(plan) : new InvalidFields(error.fields.map((problem) => ({ ...problem, field: 'planCode' })));
    }
  }
}
