import type { Job } from '@satellite/kit/jobs';
import { OutboundDoor } from '@satellite/kit/outbound';
import type { Background, ControllerEntry } from '../../parts.js';
import type { AuditedParts } from '../audit/index.js';
import { AppFigures } from './app-figures.js';
import { AppReportsRepository } from './app-reports.repository.js';
import { AppReportsService } from './app-reports.service.js';
import { AppOrganizationsRepository } from './app-organizations.repository.js';
import { AppTargetsRepository } from './app-targets.repository.js';
import { AppsController } from './apps.controller.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';
import { ConfigAppsController } from './config-apps.controller.js';
import { EnablementService, type AppQuota } from './enablement.service.js';
import { LaunchpadService } from './launchpad.service.js';
import { OperatorRegistryService } from './operator-registry.service.js';
import { RegistrationService } from './registration.service.js';
import { RegistryCache } from './registry-cache.js';
import { RegistryWriter, type DeclaredGrants } from './registry-writer.js';
import { RemoteDescriptor } from './remote-descriptor.js';

/** The app registry of one Shell. */
export function buildApps({ db, redis, logger, config, audit, repeatable }: AuditedParts, needs: { readonly grants: DeclaredGrants; readonly quota: AppQuota }) {
  const reportsRepository = new AppReportsRepository(db);
  const repository = new AppsRepository(db, reportsRepository);
  const organizations = new AppOrganizationsRepository(db);
  const cache = new RegistryCache(db, redis, logger);
  const writer = new RegistryWriter(db, repository, cache, needs.grants, config.tokens.audience, audit);
  const service = new AppsService(repository, writer);
  const registration = new RegistrationService(new RemoteDescriptor(new OutboundDoor(config.outbound)), writer);
  const enablement = new EnablementService(repository, organizations, writer, needs.quota);
  const operatorRegistry = new OperatorRegistryService(repository, reportsRepository, writer, cache);
  const reports = new AppReportsService(repository, reportsRepository, writer, cache);
  const launchpad = new LaunchpadService(cache, organizations, redis, config.http.envelope, logger);
  const controllers: ControllerEntry[] = [
    [AppsController, () => new AppsController(service, registration, enablement, repeatable)],
    [ConfigAppsController, () => new ConfigAppsController(launchpad)],
  ];
  const background: Background[] = [launchpad];
  const jobs: Job[] = [{ name: 'apps.forget-removals', schedule: '17 3 * * *', run: () => repository.forgetRemovals() }];
  return { operatorRegistry: { registry: operatorRegistry, reports }, targets: new AppTargetsRepository(db), figures: new AppFigures(organizations), changes: writer, enablement, registered: async () => (await cache.snapshot(launchpad.newestRevision)).apps, newest: () => launchpad.newestRevision, origins: () => launchpad.origins(), controllers, background, jobs };
}
