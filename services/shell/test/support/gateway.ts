import { randomUUID } from 'node:crypto';
import type { TestShell } from './shell.js';

export interface Answer {
  readonly status: number;
  /** Exactly as it came. */
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly headers: Headers;
}

/** `plain` is the handler for plain JSON; a deadline makes Connect answer the same call. */
export type Way = 'plain' | 'connect';
export const WAYS: readonly Way[] = ['plain', 'connect'];

/** Calls a method of rbac.v1.RbacService or auth.v1.AuthGateway; a body that is a string is sent as it is. */
export async function call(shell: TestShell, method: string, token: string | undefined, body: unknown, way: Way = 'plain', headers: Record<string, string> = {}): Promise<Answer> {
  const service = method === 'ExchangeForService' ? 'auth.v1.AuthGateway' : 'rbac.v1.RbacService';
  const response = await fetch(`${shell.url}/api/${service}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }), ...(way === 'connect' && { 'connect-timeout-ms': '20000' }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown>, headers: response.headers };
}

/** A service client straight in the table; answers its token. */
export async function serviceClient(shell: TestShell, { permissions = [], appSlug = null }: { permissions?: readonly string[]; appSlug?: string | null } = {}): Promise<{ clientId: string; token: string }> {
  const clientId = `c-${randomUUID().slice(0, 8)}`;
  await shell.query('insert into service_clients (id, client_id, secret_hash, permissions, app_slug, created_at, updated_at) values (?, ?, ?, ?, ?, now(), now())', [randomUUID(), clientId, '0'.repeat(64), [...permissions], appSlug]);
  await shell.shell.container.feeds.look();
  return { clientId, token: (await shell.shell.container.tokens.issueForService(clientId)).accessToken };
}

export interface RegisteredApp {
  readonly id: string;
  readonly slug: string;
  /** Declared by it: `<slug>.files:read` and `<slug>.files:write`. */
  readonly codes: readonly [read: string, write: string];
}

/** An app in the registry, put there by an administrator. */
export async function registeredApp(shell: TestShell, { slug = `app-${randomUUID().slice(0, 8)}`, ...over }: { readonly slug?: string; readonly [field: string]: unknown } = {}): Promise<RegisteredApp> {
  const codes = [`${slug}.files:read`, `${slug}.files:write`] as const;
  const admin = await (await shell.organization()).member(['apps:write']);
  const { body } = await shell.as(admin).post('/api/admin/apps').send({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api`, permissions: codes.map((code) => ({ code })), organizations: { all: true, slugs: [] }, ...over }).expect(201);
  return { id: body.data.id, slug, codes };
}

/** The person's token for an app, or for the gateway. */
export async function exchanged(shell: TestShell, token: string, service: string): Promise<string> {
  return (await shell.as(token).post('/api/auth/exchange').send({ service }).expect(200)).body.data.accessToken;
}
