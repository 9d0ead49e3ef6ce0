import { ShellUnavailable } from './errors.js';
import type { ServiceTokenClient } from './service-token-client.js';

export interface PermissionClientOptions {
  /** Root of the Shell, without `/api`. */
  readonly shellUrl: string;
  readonly tokens: ServiceTokenClient;
  /** For one call (default 2 s). */
  readonly timeoutMs?: number;
  /** How long an answer is used again, at most and by default 500 ms: with the Shell's own bound, news arrive within 1.5 s at worst and in half a second as a rule. 0 = never. */
  readonly cacheMs?: number;
  readonly fetch?: typeof fetch;
}

/** "May `sub` do `act` on `obj`?", for example `read` on `drive.files`. */
export interface PermissionQuestion {
  /** User id. */
  readonly sub: string;
  readonly act: string;
  readonly obj: string;
  /** Organization in which the person acts; theirs unless given. */
  readonly organizationId?: string;
  /** `full`: from the Shell's database, never kept. */
  readonly consistency?: 'bounded' | 'full';
}

export interface PermissionAnswer {
  readonly allowed: boolean;
  /** granted, not_granted, unknown_subject, subject_inactive, organization_inactive, other_organization or app_not_enabled. */
  readonly reason: string;
  readonly policyVersion: number;
}

/** A permission question, and what is used up of the organization's plan when the answer is yes. */
export interface AuthorizeQuestion extends PermissionQuestion {
  /** A limit that the app declares, for example `drive.storage_bytes`. Without it nothing is counted. */
  readonly limitKey?: string;
  /** A whole number from 1; 1 unless given. */
  readonly amount?: number;
  /** A new one for each thing that is done; without it a call that is repeated counts twice and cannot be canceled. */
  readonly idempotencyKey?: string;
}

/** One limit of an organization's plan and what is used of it. */
export interface Quota {
  readonly limitKey: string;
  /** -1 = unlimited, 0 = not in the plan. */
  readonly limit: number;
  readonly used: number;
  /** -1 = unlimited. */
  readonly remaining: number;
  /** When the counter begins again; empty = never. */
  readonly resetsAt: string;
}

export interface Authorization extends PermissionAnswer {
  /** Absent when nothing was to be counted or the permission is missing. */
  readonly quota?: Quota;
  /** It had been counted before under the same key. */
  readonly replayed: boolean;
}

export interface Release {
  readonly organizationId: string;
  readonly limitKey: string;
  readonly amount?: number;
  /** With the same one it happens once. */
  readonly idempotencyKey: string;
  /** Of the answer that counted it; matters for limits that begin again. */
  readonly resetsAt?: string;
}

export interface UserPermissions {
  /** Of the calling client's app. */
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  /** Empty for unknown and suspended people. */
  readonly organizationId: string;
  readonly policyVersion: number;
}

/** Asks the Shell's gateway; every method throws ShellUnavailable when there is no answer, never guesses one. */
export interface PermissionClient {
  check(question: PermissionQuestion): Promise<PermissionAnswer>;
  /** Up to 50 at once; answers in their order. */
  checkAll(questions: readonly PermissionQuestion[]): Promise<PermissionAnswer[]>;
  permissionsOf(sub: string): Promise<UserPermissions>;
  /** Asks and counts in one call; what is refused (`allowed` false, for one of the reasons or `quota_exceeded`) counts nothing. Never kept. */
  authorize(question: AuthorizeQuestion): Promise<Authorization>;
  /** Gives back what was counted under a key because the work failed; exact also when `authorize` was never answered. Answers whether there was something. Repeat it until it answers. */
  cancel(request: { readonly organizationId: string; readonly idempotencyKey: string }): Promise<boolean>;
  /** Gives back what is no longer used, for example the bytes of a deleted file. */
  release(release: Release): Promise<{ readonly quota: Quota; readonly replayed: boolean }>;
}

const MAX_CACHE_MS = 500;
const MAX_KEPT = 10_000;

/** Permission questions over the gateway's plain JSON, with a client of the app. */
export function createPermissionClient(options: PermissionClientOptions): PermissionClient {
  const cacheMs = Math.min(options.cacheMs ?? MAX_CACHE_MS, MAX_CACHE_MS);
  const kept = new Map<string, { readonly answer: Promise<PermissionAnswer>; readonly until: number }>();
  const ask = (question: PermissionQuestion): Promise<PermissionAnswer> => call<PermissionAnswer>(options, 'CheckPermission', question);
  return {
    check(question) {
      if (cacheMs <= 0 || question.consistency === 'full') return ask(question);
      const key = JSON.stringify([question.sub, question.act, question.obj, question.organizationId]);
      const found = kept.get(key);
      if (found && found.until > Date.now()) return found.answer;
      const entry = { answer: ask(question), until: Date.now() + cacheMs };
      entry.answer.catch(() => kept.get(key) === entry && kept.delete(key)); // a failure is nobody else's answer
      kept.delete(key);
      kept.set(key, entry);
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
      return entry.answer;
    },
    checkAll: async (questions) => (await call<{ results: PermissionAnswer[] }>(options, 'CheckPermissions', { checks: questions })).results,
    permissionsOf: (sub) => call<UserPermissions>(options, 'GetUserPermissions', { sub }),
    authorize: (question) => call<Authorization>(options, 'Authorize', question),
    cancel: async (request) => (await call<{ canceled: boolean }>(options, 'CancelAuthorization', request)).canceled,
    release: (release) => call<{ quota: Quota; replayed: boolean }>(options, 'ReleaseQuota', release),
  };
}

async function call<Answer>(options: PermissionClientOptions, method: string, body: object, isRetry = false): Promise<Answer> {
  const response = await send(options, method, body).catch((cause: unknown) => {
    throw new ShellUnavailable({ cause });
  });
  if (response.ok) return (await response.json().catch((cause: unknown) => {
    throw new ShellUnavailable({ cause });
  })) as Answer;
  if (response.status === 401) {
    options.tokens.forget(); // the client's secret may have been rotated, or the Shell's keys
    if (!isRetry) return call<Answer>(options, method, body, true);
  }
  const text = (await response.text().catch(() => '')).slice(0, 300);
  // a question that the Shell refuses is a mistake of this service: no answer to the person, but a line in the log
  if (response.status === 400 || response.status === 403) throw new Error(`The gateway refuses ${method}: ${text}`);
  throw new ShellUnavailable({ cause: new Error(`the gateway answers ${response.status}: ${text}`) });
}

async function send({ shellUrl, tokens, timeoutMs = 2000, fetch: fetchNow = fetch }: PermissionClientOptions, method: string, body: object): Promise<Response> {
  return fetchNow(`${shellUrl}/api/rbac.v1.RbacService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokens.token()}` },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}
