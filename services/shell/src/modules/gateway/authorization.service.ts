import { z } from 'zod';
import { PermissionDenied } from '../auth/index.js';
import type { Caller } from './callers.js';
import type { GatewayClient } from './gateway-clients.js';
import { InvalidQuestion, QuestionRefused } from './gateway.errors.js';
import { READ_EVERYTHING, type PermissionAnswer, type PermissionQuestion, type RbacService, type Reason } from './rbac.service.js';

/** One limit of an organization and what is used of it; -1 = unlimited. */
export interface Quota {
  readonly limitKey: string;
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date | null;
}

/** Counters of what organizations use; the subscriptions module supplies them. */
export interface Quotas {
  tryConsume(request: { organizationId: string; actorId: string; limitKey: string; amount?: number | undefined; idempotencyKey?: string | undefined }): Promise<{ readonly counted: boolean; readonly replayed: boolean; readonly usage: Quota }>;
  cancel(request: { organizationId: string; actorId: string; idempotencyKey: string }): Promise<boolean>;
  release(request: { organizationId: string; actorId: string; limitKey: string; amount?: number | undefined; idempotencyKey: string; resetsAt: Date | null }): Promise<{ readonly replayed: boolean; readonly usage: Quota }>;
}

/** A permission question, and what is used up when the answer is yes; empty strings are absent, as in proto. */
export interface AuthorizeQuestion extends PermissionQuestion {
  readonly limitKey: string;
  readonly amount?: number | undefined;
  readonly idempotencyKey: string;
}

export interface Authorization extends Omit<PermissionAnswer, 'reason'> {
  readonly reason: Reason | 'quota_exceeded';
  readonly quota?: Quota;
  readonly replayed: boolean;
}

/** Permission of services of the platform to count what organizations use. */
const CONSUME_EVERYTHING = 'quota:consume';
const LIMIT_KEY = /^[a-z][a-z0-9._-]{0,127}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,180}$/;
const Uuid = z.uuid();

/** "May they, and is there room for it?" in one call, and the way back. */
export class AuthorizationService {
  constructor(
    private readonly rbac: RbacService,
    private readonly quotas: Quotas,
  ) {}

  /** Throws what `RbacService.check` throws, and what the quotas throw for keys that nobody counts and for repeated calls. */
  async authorize(caller: Caller, { limitKey, amount, idempotencyKey, ...question }: AuthorizeQuestion): Promise<Authorization> {
    const client = serviceOf(caller);
    if (limitKey !== '') assertMayCount(client, limitKey);
    else if (amount !== undefined || idempotencyKey !== '') throw new InvalidQuestion('amount and idempotencyKey need a limitKey: without one nothing is counted.');
    const { answer, organizationId } = await this.rbac.decide(caller, question);
    if (!answer.allowed || limitKey === '' || organizationId === undefined) return { ...answer, replayed: false };
    const key = idempotencyKey === '' ? undefined : keyOf('authorize', idempotencyKey);
    const { counted, replayed, usage } = await this.quotas.tryConsume({ organizationId, actorId: client.clientId, limitKey, amount, idempotencyKey: key });
    return { ...answer, allowed: counted, reason: counted ? answer.reason : 'quota_exceeded', quota: usage, replayed };
  }

  /** Gives back what `authorize` counted under a key, and lets the key count nothing any more. Answers whether there was something. */
  async cancel(caller: Caller, { organizationId, idempotencyKey }: { organizationId: string; idempotencyKey: string }): Promise<boolean> {
    const client = serviceOf(caller);
    assertPlatformMayCount(client);
    assertOrganization(organizationId);
    return this.quotas.cancel({ organizationId: organizationId.toLowerCase(), actorId: client.clientId, idempotencyKey: keyOf('authorize', idempotencyKey) });
  }

  async release(caller: Caller, { resetsAt, idempotencyKey, ...request }: { organizationId: string; limitKey: string; amount?: number | undefined; idempotencyKey: string; resetsAt: string }): Promise<{ quota: Quota; replayed: boolean }> {
    const client = serviceOf(caller);
    assertMayCount(client, request.limitKey);
    assertOrganization(request.organizationId);
    const ended = resetsAt === '' ? null : new Date(resetsAt);
    if (ended !== null && Number.isNaN(ended.getTime())) throw new InvalidQuestion('resetsAt must be a time like 2030-01-31T00:00:00Z, as Authorize answered it, or empty.');
    const { replayed, usage } = await this.quotas.release({ ...request, organizationId: request.organizationId.toLowerCase(), actorId: client.clientId, idempotencyKey: keyOf('release', idempotencyKey), resetsAt: ended });
    return { quota: usage, replayed };
  }
}

function serviceOf(caller: Caller): GatewayClient {
  if (caller.kind === 'person') throw new QuestionRefused('Only services count what organizations use. For people there are check-limit and consume.');
  return caller.client;
}

/** Clients of an app count what their app has declared, and learn nothing of other limits. */
function assertMayCount(client: GatewayClient, limitKey: string): void {
  if (!LIMIT_KEY.test(limitKey)) throw new InvalidQuestion('limitKey must name a limit, such as drive.storage_bytes.');
  if (!client.counts(limitKey)) throw new QuestionRefused(`Clients of ${client.appSlug} can count limits of ${client.appSlug} only.`);
  assertPlatformMayCount(client);
}

function assertPlatformMayCount({ appSlug, permissions }: GatewayClient): void {
  if (appSlug !== null) return;
  for (const permission of [READ_EVERYTHING, CONSUME_EVERYTHING]) if (!permissions.has(permission)) throw new PermissionDenied(permission);
}

function assertOrganization(id: string): void {
  if (!Uuid.safeParse(id).success) throw new InvalidQuestion('organizationId must be the id of an organization.');
}

/** Keys of one kind of call mean nothing to another. */
function keyOf(call: 'authorize' | 'release', key: string): string {
  if (!IDEMPOTENCY_KEY.test(key)) throw new InvalidQuestion('idempotencyKey must be 1 to 180 visible ASCII characters; take a random UUID for each thing that is done.');
  return `${call}:${key}`;
}
