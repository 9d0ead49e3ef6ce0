import { M0001IdentityAndRegistry } from './m0001-identity-and-registry.js';
import { M0002SessionsAndPolicy } from './m0002-sessions-and-policy.js';
import { M0003ClientsOfApps } from './m0003-clients-of-apps.js';
import { M0004PlansAndQuotas } from './m0004-plans-and-quotas.js';
import { M0005Payments } from './m0005-payments.js';
import { M0006OnboardingAndJobs } from './m0006-onboarding-and-jobs.js';
import { M0007Audit } from './m0007-audit.js';
import { M0008Statistics } from './m0008-statistics.js';
import { M0009AuditAnchors } from './m0009-audit-anchors.js';
import { M0010RepeatableWrites } from './m0010-repeatable-writes.js';
import { M0011AppReports } from './m0011-app-reports.js';
import { M0012RollOuts } from './m0012-roll-outs.js';
import { M0013RegistryIndexes } from './m0013-registry-indexes.js';
import { M0014Installations } from './m0014-installations.js';

/** In the order in which they run; a migration that has run is never changed. */
export const migrations = [M0001IdentityAndRegistry, M0002SessionsAndPolicy, M0003ClientsOfApps, M0004PlansAndQuotas, M0005Payments, M0006OnboardingAndJobs, M0007Audit, M0008Statistics, M0009AuditAnchors, M0010RepeatableWrites, M0011AppReports, M0012RollOuts, M0013RegistryIndexes, M0014Installations];
