import { AsyncLocalStorage } from 'node:async_hooks';
import { currentRequest } from '@satellite/kit/http';
import type { UserActor } from '../../actor.js';
import type { AuditTarget } from './audit.actions.js';

/** Who did something. `anonymous`: somebody who had not shown who they are; `system`: the platform itself. */
export interface AuditActor {
  readonly kind: 'user' | 'service' | 'operator' | 'anonymous' | 'system';
  /** Of the user or the service client, or the part of the platform; null for strangers. */
  readonly id: string | null;
  /** User name at that time: people can be removed, entries stay. */
  readonly name?: string;
  /** Of the person's organization. */
  readonly organizationId?: string;
  /** Who acts for the person (RFC 8693, section 4.1), the newest one. */
  readonly act?: string;
}

/** Whose account a request tries to get at while nobody has shown yet who sends it. */
export interface AuditSubject {
  readonly target: AuditTarget;
  readonly organizationId: string | null;
}

interface Scope {
  readonly requestId: string | undefined;
  /** As far as the trusted proxies vouch for it. */
  readonly address: string | undefined;
  actor?: AuditActor;
  subject?: AuditSubject;
}

const scopes = new AsyncLocalStorage<Scope>();

const STRANGER: AuditActor = { kind: 'anonymous', id: null };
/** The platform itself, also where a request happens to be running. */
export const SYSTEM: AuditActor = { kind: 'system', id: null };

/** What is known of whoever causes what happens now. */
export interface Circumstances {
  readonly requestId: string | undefined;
  readonly address: string | undefined;
  readonly actor: AuditActor;
  readonly subject: AuditSubject | undefined;
}

/** Runs the rest of a request in a scope of its own. */
export function inRequest(address: string | undefined, next: () => void): void {
  scopes.run({ requestId: currentRequest()?.requestId, address }, next);
}

/** Of the running request; outside of one it is the system that acts. */
export function circumstances(): Circumstances {
  const scope = scopes.getStore();
  if (scope === undefined) return { requestId: undefined, address: undefined, actor: SYSTEM, subject: undefined };
  return { requestId: scope.requestId, address: scope.address, actor: scope.actor ?? STRANGER, subject: scope.subject };
}

/** Says who sends the running request, as soon as that is proven. */
export function noteActor(actor: AuditActor): void {
  const scope = scopes.getStore();
  if (scope) scope.actor = actor;
}

/** Says whose account a request tries to get at. */
export function noteSubject(subject: AuditSubject): void {
  const scope = scopes.getStore();
  if (scope) scope.subject = subject;
}

/** The person of verified claims, whether or not they may still do anything. */
export function personOf({ userId, organizationId, claims }: Pick<UserActor, 'userId' | 'organizationId' | 'claims'>): AuditActor {
  const { username, act } = claims as { username?: unknown; act?: { sub?: unknown } };
  return { kind: 'user', id: userId, organizationId, ...(typeof username === 'string' && { name: username }), ...(typeof act?.sub === 'string' && { act: act.sub }) };
}
