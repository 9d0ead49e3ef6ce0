import type express from 'express';
import type { OpenApiDocument } from '@satellite/kit/http';
import { REPEATABLE_WRITES_SWEEP } from '@satellite/kit/db';
import { Scheduler, sweepJob } from '@satellite/kit/jobs';
import { containerOf as containerOfRequest } from '@satellite/kit/service';
import { buildApps, type OperatorServices } from './modules/apps/index.js';
import { buildAudit, type AuditTrail, type RefusalWatch } from './modules/audit/index.js';
import { buildAuth, type Authorize, type AuthService, type MailQueue, type PasswordHasher, type SessionsService, type SigningKeysService, type TokenService } from './modules/auth/index.js';
import { buildGateway, type Gateway } from './modules/gateway/index.js';
import { buildOnboarding } from './modules/onboarding/index.js';
import { buildOrganizations } from './modules/organizations/index.js';
import { buildPlans } from './modules/plans/index.js';
import { buildRoles } from './modules/roles/index.js';
import { buildSettings } from './modules/settings/index.js';
import { buildStatistics } from './modules/statistics/index.js';
import { buildQuota, buildSubscriptions, type QuotaService, type SubscriptionsService } from './modules/subscriptions/index.js';
import { buildUsers } from './modules/users/index.js';
import { describeApi } from './openapi.js';
import type { Background, Parts } from './parts.js';
import { Seed } from './seed.js';

/** Everything of one Shell, wired by hand: one build function a module, in the order of what needs what. */
export interface Container extends Parts {
  readonly audit: AuditTrail;
  readonly auditWatch: RefusalWatch;
  readonly auth: AuthService;
  readonly authorize: Authorize;
  readonly keys: SigningKeysService;
  readonly tokens: TokenService;
  readonly sessions: SessionsService;
  readonly hasher: PasswordHasher;
  readonly mail: MailQueue;
  readonly operatorRegistry: OperatorServices;
  readonly gateway: Gateway;
  readonly subscriptions: SubscriptionsService;
  readonly quota: QuotaService;
  /** What happens by the clock, in one of all processes. */
  readonly scheduler: Scheduler;
  /** Pages of the local payment processor, where that is used. */
  readonly paymentPages: { readonly path: string; readonly router: express.Router } | undefined;
  /** Origins of apps' front-ends, for the page's policy. */
  readonly appOrigins: () => Promise<readonly string[]>;
  readonly openapi: OpenApiDocument;
  readonly seed: Seed;
  /** Controller class → a new one. */
  readonly controllers: ReadonlyMap<unknown, () => object>;
  /** Started in this order, stopped in the other. */
  readonly background: readonly Background[];
}

/** The modules, in the order of what needs what. */
function buildModules(given: Parts) {
  const openapi = describeApi(given.config.http.envelope);
  const audit = buildAudit(given, openapi);
  const parts = { ...given, audit: audit.trail };
  const roles = buildRoles(parts);
  const quota = buildQuota(parts);
  const apps = buildApps(parts, { grants: roles.appGrants, quota });
  const plans = buildPlans(parts, apps);
  const subscriptions = buildSubscriptions(parts, { plans: plans.plans, changes: apps.changes, quota });
  const organizations = buildOrganizations(parts, roles, subscriptions.subscriptions, quota);
  const auth = buildAuth(parts, { apps: apps.targets, organizations: organizations.organizations });
  const users = buildUsers(parts, { roles, hasher: auth.hasher, invitations: auth.links, quota });
  const gateway = buildGateway(parts, { apps: apps.targets, auth, quotas: quota });
  const onboarding = buildOnboarding(parts, { organizations: organizations.organizations, invitations: auth.links, apps: apps.enablement });
  const settings = buildSettings(parts, { openapi, services: apps.registered });
  const statistics = buildStatistics(parts, { apps: apps.figures, quotas: subscriptions.pressure });
  return { openapi, audit, roles, quota, apps, plans, subscriptions, organizations, auth, users, gateway, onboarding, settings, statistics };
}

type Modules = ReturnType<typeof buildModules>;

/** What happens by the clock, in one of all processes. */
function buildScheduler(parts: Parts, { audit, apps, auth, subscriptions, onboarding }: Modules): Scheduler {
  const housekeeping = sweepJob({ name: 'housekeeping', schedule: '43 * * * *', db: parts.db, sweeps: [...auth.sweeps, ...subscriptions.sweeps, ...onboarding.sweeps, REPEATABLE_WRITES_SWEEP] });
  return new Scheduler({ ...parts, jobs: [housekeeping, ...audit.jobs, ...apps.jobs, ...subscriptions.jobs] });
}

export function buildContainer(parts: Parts): Container {
  const modules = buildModules(parts);
  const { openapi, audit, roles, quota, apps, plans, subscriptions, organizations, auth, users, gateway, onboarding, settings, statistics } = modules;
  const scheduler = buildScheduler(parts, modules);
  return {
    ...parts,
    audit: audit.trail,
    auditWatch: audit.watch,
    auth: auth.auth,
    authorize: auth.authorize,
    keys: auth.keys,
    tokens: auth.tokens,
    sessions: auth.sessions,
    hasher: auth.hasher,
    mail: auth.mail,
    operatorRegistry: apps.operatorRegistry,
    gateway,
    subscriptions: subscriptions.subscriptions,
    quota,
    scheduler,
    paymentPages: subscriptions.paymentPages,
    appOrigins: apps.origins,
    openapi,
    seed: new Seed(parts.db, auth.hasher, auth.clients, roles.policy, audit.trail),
    controllers: new Map([...audit.controllers, ...apps.controllers, ...plans.controllers, ...subscriptions.controllers, ...auth.controllers, ...users.controllers, ...roles.controllers, ...organizations.controllers, ...onboarding.controllers, ...gateway.controllers, ...settings.controllers, ...statistics.controllers]),
    background: [...audit.background, ...auth.background, ...apps.background, ...subscriptions.background, ...gateway.background, scheduler],
  };
}

/** The container of the Shell that serves this request. */
export const containerOf = (request: express.Request): Container => containerOfRequest<Container>(request);
