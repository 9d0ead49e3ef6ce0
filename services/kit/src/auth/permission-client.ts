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
