import type { Database } from '@satellite/kit/db';
import type { AuditEvent, AuditTrail } from '../audit/index.js';
import type { Revocations, SessionsRepository } from '../auth/index.js';
import type { Tenancy } from '../../tenancy.js';
import type { PolicyChanges } from './policy-changes.js';

export interface AccessChangesDeps {
  readonly db: Database;
  readonly tenancy: Tenancy;
  readonly policy: PolicyChanges;
  readonly revocations: Revocations;
  readonly sessions: SessionsRepository;
  readonly audit: AuditTrail;
}

/** The one way to change who may do what: take turns, change, record, and announce it in the same commit. */
export class AccessChanges {
  constructor(private readonly deps: AccessChangesDeps) {}

  /** Runs `work` with the organization locked and announces its policy; checks inside `work` hold until the commit. */
  run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const { db, tenancy, policy } = this.deps;
    return db.run(async () => {
      await tenancy.lock(organizationId);
      const result = await work();
      await policy.announce(organizationId); // last: every writer of the platform queues at the feed
      return result;
    });
  }

  /** Says in the audit trail what `work` has done. */
  record(event: AuditEvent): Promise<void> {
    return this.deps.audit.record(event);
  }

  /** Ends all that a person has running. */
  async endUser(userId: string, reason: 'suspended' | 'deleted'): Promise<void> {
    await this.deps.sessions.endAll(userId, reason);
    await this.deps.revocations.add('user', userId);
  }

  /** Before somebody comes back: a sign-in that raced the suspension must not come back to life with them. */
  async endLeftovers(userId: string): Promise<void> {
    await this.revokeSessions(await this.deps.sessions.endAll(userId, 'suspended'));
  }

  /** Voids the tokens of everybody in an organization. */
  async revokeOrganization(organizationId: string): Promise<void> {
    await this.deps.revocations.add('organization', organizationId);
  }

  /** Voids the tokens of sessions that have ended. */
  async revokeSessions(sessionIds: readonly string[]): Promise<void> {
    for (const id of sessionIds) await this.deps.revocations.add('session', id);
  }
}
