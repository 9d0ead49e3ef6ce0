import type { ControllerEntry } from '../../parts.js';
import { Usernames } from '../../usernames.js';
import type { AuditedParts } from '../audit/index.js';
import { ONBOARDING_SWEEPS } from './housekeeping.js';
import { OnboardingController } from './onboarding.controller.js';
import { OnboardingRepository } from './onboarding.repository.js';
import { OnboardingService, type Newcomers, type OnboardingServiceDeps } from './onboarding.service.js';

/** What onboarding needs of other modules. */
export interface OnboardingNeeds extends Pick<OnboardingServiceDeps, 'organizations' | 'apps'> {
  readonly invitations: Pick<Newcomers, 'invite'>;
}

/** Onboarding of one Shell. */
export function buildOnboarding({ db, audit, repeatable }: AuditedParts, { organizations, invitations, apps }: OnboardingNeeds) {
  const usernames = new Usernames(db);
  const newcomers: Newcomers = { username: (wish) => usernames.like(wish), invite: (userId, email) => invitations.invite(userId, email) };
  const service = new OnboardingService({ db, audit, organizations, apps, newcomers, requests: new OnboardingRepository(db) });
  const controllers: ControllerEntry[] = [[OnboardingController, () => new OnboardingController(service, repeatable)]];
  return { controllers, sweeps: ONBOARDING_SWEEPS };
}
