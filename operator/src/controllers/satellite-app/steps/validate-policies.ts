import { Stalled } from '../../../runtime/errors.js';
import { firstViolation } from '../policies/policies.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/** Rules that no schema can say, because they look at other objects or at several fields. */
export function validatePolicies(run: Run): void {
  const { app, tools } = run;
  const violation = firstViolation({ app, claims: tools.apps.inIndex(app.spec.slug) });
  if (!violation) return;
  if (!run.findings.registry) run.state(CONDITION.registered, 'False', violation.reason, violation.message);
  throw new Stalled(violation.reason, violation.message);
}
