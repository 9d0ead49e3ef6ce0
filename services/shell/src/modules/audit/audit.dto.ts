/** Who did it. */
export interface AuditActorView {
  /** `user`: a person; `service`: a service client; `operator`: the client of the operator; `system`: the platform itself; `anonymous`: somebody who had not shown who they are. */
  kind: 'user' | 'service' | 'operator' | 'anonymous' | 'system';
  /** User id or client id. */
  id: string | null;
  /** User name at that time. */
  name: string | null;
  /** Who acted for the person, as the token's `act` claim says. */
  act: string | null;
}

/** What it was about. */
export interface AuditTargetView {
  /** For example `user`, `role`, `app`. */
  type: string;
  id: string | null;
}

/** One entry of the audit trail. */
export interface AuditEntryView {
  id: string;
  /** Number in the chain of the organization, or of the platform; without gaps. */
  seq: number;
  at: Date;
  actor: AuditActorView;
  /** Whose trail it is in; null for the platform's. */
  organizationId: string | null;
  /** Address of the client as far as the trusted proxies vouch for it. */
  address: string | null;
  /** `x-request-id` of the answer. */
  requestId: string | null;
  /** Stable name, for example `users.update`. */
  action: string;
  target: AuditTargetView | null;
  outcome: 'success' | 'refused';
  /** Why it was refused: the code that the answer carries as `details.reason`. */
  reason: string | null;
  /** More than 1: so many equal refusals, counted while there were too many to record each. */
  count: number;
  /** Fields that changed, as they were; null when there was nothing before. */
  before: Record<string, unknown> | null;
  /** Fields that changed, as they are; null when there is nothing any more. */
  after: Record<string, unknown> | null;
  /** Over the entry and the one before it in the chain. */
  hash: string;
}
