import { randomUUID } from 'node:crypto';
import type { TestShell } from './shell.js';

/** A signed-in person. */
export interface Person {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly token: string;
}

export interface PersonOptions {
  /** Held through a role of the person's own. */
  readonly permissions?: readonly string[];
  /** SUPER_ADMIN, ADMIN or USER. */
  readonly systemRole?: string;
}

/** Puts a person into an organization, straight into the tables, and signs them in. */
export async function personIn(shell: TestShell, organizationId: string, { permissions = [], systemRole }: PersonOptions = {}): Promise<Person> {
  const id = randomUUID();
  const email = `${id}@example.org`;
  await shell.query(`insert into users (id, organization_id, email, username, first_name, last_name, created_at, updated_at) values (?, ?, ?, ?, 'Ann', 'Example', now(), now())`, [id, organizationId, email, id]);
  if (systemRole !== undefined) await shell.query(`insert into user_roles (user_id, role_id, granted_at) select ?::uuid, id, now() from roles where organization_id is null and name = ?`, [id, systemRole]);
  if (permissions.length > 0) await shell.query(`insert into user_roles (user_id, role_id, granted_at) values (?, ?, now())`, [id, await roleIn(shell, organizationId, permissions)]);
  return { id, organizationId, email, token: await tokenOf(shell, id, organizationId) };
}

/** A new session and its access token. */
export async function tokenOf(shell: TestShell, userId: string, organizationId: string): Promise<string> {
  const sid = randomUUID();
  await shell.query(`insert into sessions (id, user_id, organization_id, created_at, expires_at) values (?, ?, ?, now(), now() + interval '1 day')`, [sid, userId, organizationId]);
  const claims = { sub: userId, email: `${userId}@example.org`, username: userId, firstName: 'Ann', lastName: 'Example', roles: [], organizationId, sid };
  return (await shell.shell.container.tokens.issueForUser(claims)).accessToken;
}

/** A role with these permissions; answers its id. */
export async function roleIn(shell: TestShell, organizationId: string, permissions: readonly string[]): Promise<string> {
  const id = randomUUID();
  await shell.query(`insert into roles (id, organization_id, name, created_at, updated_at) values (?, ?, ?, now(), now())`, [id, organizationId, `Role ${id.slice(0, 8)}`]);
  await shell.query('insert into role_permissions (role_id, permission) select ?::uuid, * from unnest(?::text[])', [id, [...permissions]]);
  return id;
}

/** Id of a role of the system. */
export async function systemRole(shell: TestShell, name: string): Promise<string> {
  const [role] = await shell.query<{ id: string }>('select id from roles where organization_id is null and name = ?', [name]);
  return role?.id ?? '';
}

/** Id of the organization that runs the platform. */
export async function platformOf(shell: TestShell): Promise<string> {
  const [platform] = await shell.query<{ id: string }>(`select id from organizations where slug = 'platform'`);
  return platform?.id ?? '';
}

/** Numbers of the feeds that announce changes. */
export async function feeds(shell: TestShell): Promise<{ policy: number; revocations: number }> {
  const rows = await shell.query<{ name: string; seq: string }>('select name, seq from feeds');
  const seq = (name: string): number => Number(rows.find((row) => row.name === name)?.seq);
  return { policy: seq('policy'), revocations: seq('revocations') };
}
