import type { ControllerEntry, Parts } from '../../parts.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsRepository } from './statistics.repository.js';
import { StatisticsService, type AppFigures, type QuotaFigures } from './statistics.service.js';

/** What figures need of other modules. */
export interface StatisticsNeeds {
  readonly apps: AppFigures;
  readonly quotas: QuotaFigures;
}

/** Figures of one Shell. */
export function buildStatistics({ db, config }: Parts, { apps, quotas }: StatisticsNeeds) {
  const service = new StatisticsService({ db, statistics: new StatisticsRepository(db), apps, quotas });
  const controllers: ControllerEntry[] = [[StatisticsController, () => new StatisticsController(service, config.billing.currency)]];
  return { controllers };
}
