import { snapshot } from '../audit/index.js';
import { InvalidFields } from '@satellite/kit/core';
import { OrganizationNotFound } from '../organizations/index.js';
import type { App } from './app.entity.js';
import type { AppOrganizationsRepository, AppSwitch } from './app-organizations.repository.js';
import { AppNotFound } from './apps.errors.js';
import type { AppsRepository } from './apps.repository.js';
import { frontEndChoice, type FrontEndChoice } from './front-end.js';
import type { RegistryEntry } from './registry-entry.js';
import type { RegistryWriter } from './registry-writer.js';
import { isInShare } from './share.js';

/** Whether an app is enabled for one organization, and why. */
export interface Enablement {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationName: string;
  readonly enabled: boolean;
  /** `plan`: the organization's plan does not include the app; `switch`: an administrator decided; `selection`: the app's own list of organizations; `share`: the share of all organizations to which the app has come so far. */
  readonly decidedBy: 'plan' | 'switch' | 'selection' | 'share';
  /** Which front-end it gets. */
  readonly frontEnd: FrontEndChoice;
  /** Version of that front-end. */
  readonly version: string | null;
}

/** For which organizations an app is meant. */
export interface Selection {
  readonly slug: string;
  readonly organizationsAll: boolean;
  readonly organizationSlugs: readonly string[];
  readonly organizationPercent: number;
}

/** What decides about one app in one organization. */
export interface EnablementFacts {
  readonly organizationId: string;
  readonly organizationSlug: string;
  /** The administrator's switch; null or undefined = none. */
  readonly enabled: boolean | null | undefined;
  /** The organization's plan includes the app. */
  readonly planned: boolean;
}

/** The one rule for "is this app enabled there": the plan has to include it; then the administrator's switch, else the app's own selection. */
export function isEnabledFor(selection: Selection, { organizationId, organizationSlug, enabled, planned }: EnablementFacts): boolean {
  return planned && (enabled ?? (selection.organizationSlugs.includes(organizationSlug) || (selection.organizationsAll && isInShare('app', selection.slug, organizationId, selection.organizationPercent))));
}

/** How many apps an organization's plan allows; the subscriptions module supplies it. */
export interface AppQuota {
  /** Throws QuotaExceeded when the plan has no room for one more; called under the registry lock. */
  assertRoom(organizationId: string, limitKey: 'apps'): Promise<void>;
}

/** Switches apps on and off for single organizations. */
export class EnablementService {
  constructor(
    private readonly apps: AppsRepository,
    private readonly organizations: AppOrganizationsRepository,
    private readonly writer: RegistryWriter,
    private readonly quota: AppQuota,
  ) {}

  async list(appId: string): Promise<Enablement[]> {
    const entry = await this.entry(appId);
    return (await this.organizations.switchesOf(appId)).map((found) => enablementOf(entry, found));
  }

  /** A registry write like any other, so that every process drops what it kept for the organization. Throws AppNotFound, OrganizationNotFound or QuotaExceeded. */
  async set(appId: string, organizationId: string, enabled: boolean): Promise<Enablement> {
    await this.entry(appId);
    await this.organization(appId, organizationId); // both 404s before the lock is taken
    return (await this.writer.write(() => this.setLocked(appId, organizationId, enabled))).result;
  }

  /** Runs `work` with nobody else switching anything: for transactions that take other locks before they switch. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.writer.run(work);
  }

  /** Switches several apps on for an organization; joins a running transaction. Throws InvalidFields for apps that are not registered, OrganizationNotFound or QuotaExceeded. */
  async switchOn(organizationId: string, appIds: readonly string[]): Promise<void> {
    await this.writer.run(async () => {
      const unknown = [];
      for (const [index, id] of appIds.entries()) if (!(await this.apps.findById(id))) unknown.push({ field: `appIds.${index}`, message: `"${id.slice(0, 64)}" is not the id of a registered app` });
      if (unknown.length > 0) throw new InvalidFields(unknown);
      for (const id of new Set(appIds)) await this.setLocked(id, organizationId, true);
    });
  }

  /** Nobody else can switch anything meanwhile, so what is counted here holds. */
  private async setLocked(appId: string, organizationId: string, enabled: boolean): Promise<Enablement> {
    const entry = await this.entry(appId);
    const before = await this.organization(appId, organizationId);
    if (enabled && before.enabled !== true) await this.quota.assertRoom(organizationId, 'apps');
    await this.organizations.setSwitch(appId, organizationId, enabled);
    await this.record(entry, before, enabled);
    return enablementOf(entry, await this.organization(appId, organizationId));
  }

  private record({ app: { id, slug } }: RegistryEntry, { organizationId, enabled: before }: AppSwitch, after: boolean): Promise<void> {
    const sides = { before: snapshot('app', { slug, enabled: before }), after: snapshot('app', { slug, enabled: after }) };
    return this.writer.record({ action: 'apps.set_enablement', organizationId, target: { type: 'app', id }, ...sides });
  }

  private async entry(appId: string): Promise<RegistryEntry> {
    const entry = await this.apps.findById(appId);
    if (!entry) throw new AppNotFound(appId);
    return entry;
  }

  private async organization(appId: string, organizationId: string): Promise<AppSwitch> {
    const found = await this.organizations.findSwitch(appId, organizationId);
    if (!found) throw new OrganizationNotFound();
    return found;
  }
}

function enablementOf({ app }: RegistryEntry, found: AppSwitch): Enablement {
  return {
    organizationId: found.organizationId,
    organizationSlug: found.organizationSlug,
    organizationName: found.organizationName,
    enabled: isEnabledFor(app, found),
    decidedBy: decidedBy(app, found),
    ...frontEndOf(app, found.organizationId),
  };
}

function decidedBy({ organizationsAll, organizationPercent, organizationSlugs }: App, { planned, enabled, organizationSlug }: AppSwitch): Enablement['decidedBy'] {
  if (!planned) return 'plan';
  if (enabled !== null) return 'switch';
  return organizationsAll && organizationPercent < 100 && !organizationSlugs.includes(organizationSlug) ? 'share' : 'selection';
}

function frontEndOf({ slug, version, uiCanary = null }: App, organizationId: string): Pick<Enablement, 'frontEnd' | 'version'> {
  const frontEnd = frontEndChoice({ slug, uiCanary }, organizationId);
  return { frontEnd, version: (frontEnd === 'canary' ? uiCanary?.version : version) ?? null };
}
