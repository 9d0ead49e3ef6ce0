import type { ControllerEntry, Parts } from '../../parts.js';
import { ConfigPlansController } from './config-plans.controller.js';
import { PlansController } from './plans.controller.js';
import { PlansRepository } from './plans.repository.js';
import { PlansService, type VisibleChanges } from './plans.service.js';
import { PriceList } from './price-list.js';

/** What plans need of the app registry. */
export interface PlansNeeds {
  readonly changes: VisibleChanges;
  /** Number of the newest change that this process knows of. */
  readonly newest: () => number;
}

/** Plans of one Shell. */
export function buildPlans({ db, config, repeatable }: Parts, { changes, newest }: PlansNeeds) {
  const repository = new PlansRepository(db);
  const service = new PlansService(repository, changes);
  const prices = new PriceList(repository, newest, config.http.envelope);
  const controllers: ControllerEntry[] = [
    [PlansController, () => new PlansController(service, repeatable)],
    [ConfigPlansController, () => new ConfigPlansController(prices)],
  ];
  return { plans: repository, controllers };
}
