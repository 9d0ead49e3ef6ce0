import type { AppOrganizationsRepository } from './app-organizations.repository.js';
import { APP_STATUSES, type AppStatus } from './app.entity.js';
import { isEnabledFor } from './enablement.service.js';

export interface AppCounts {
  readonly byStatus: Readonly<Record<AppStatus, number>>;
  /** Apps that are not inactive and enabled for the organization; null without one. */
  readonly enabled: number | null;
}

/** How many apps there are, and how many of them an organization can use. */
export class AppFigures {
  constructor(private readonly organizations: AppOrganizationsRepository) {}

  /** @param organizationId undefined: for the whole platform */
  async counts(organizationId: string | undefined): Promise<AppCounts> {
    const apps = await this.organizations.appsSeenFrom(organizationId);
    const byStatus = Object.fromEntries(APP_STATUSES.map((status) => [status, apps.filter((app) => app.status === status).length])) as Record<AppStatus, number>;
    const enabled = apps.filter((app) => app.status !== 'inactive' && isEnabledFor(app, app)).length;
    return { byStatus, enabled: organizationId === undefined ? null : enabled };
  }
}
