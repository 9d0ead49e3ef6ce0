import { randomUUID } from 'node:crypto';
import { stage } from './stage.js';
import type { Session } from './visitor.js';

/** Somebody with an account, and what they may be helped with over the API. */
export class Person {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly session: Session,
  ) {}

  get token(): string {
    return this.session.accessToken;
  }

  /** Calls the API as this person; throws unless it answers well. */
  async calls<T>(method: string, path: string, body?: unknown): Promise<T> {
    return call<T>(method, path, body, this.token);
  }
}

/** What somebody can be helped with in Drive. */
export class DriveOf {
  private constructor(private readonly token: string) {}

  static async person({ token }: Person): Promise<DriveOf> {
    const answer = await fetch(`${stage().url}/drive/api/auth/exchange`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
    return new DriveOf(((await answer.json()) as { access_token: string }).access_token);
  }

  async stores(name: string, content: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): Promise<void> {
    const form = new FormData();
    form.append('folderId', '');
    form.append('file', new Blob([content], { type }), name);
    const answer = await fetch(`${stage().url}/drive/api/files/upload`, { method: 'POST', headers: { authorization: `Bearer ${this.token}` }, body: form });
    if (!answer.ok) throw new Error(`${name} was not stored: ${answer.status} ${await answer.text()}`);
  }

  /** Answers with the id of the folder. */
  async makes(folder: string): Promise<string> {
    return (await call<{ id: string }>('POST', '/drive/api/folders', { name: folder, parentId: null }, this.token)).id;
  }
}

const PASSWORD = 'a long and quiet evening';

/** Somebody who has just registered: administrator of an organization of their own. */
export async function registered(plan = 'HOBBY', firstName = 'Ada'): Promise<Person> {
  const name = `ada-${randomUUID().slice(0, 8)}`;
  const email = `${name}@example.org`;
  const session = await call<Session>('POST', '/api/auth/register', { email, username: name, password: PASSWORD, firstName, lastName: 'Byron', plan });
  return new Person(email, PASSWORD, session);
}

/** A colleague in somebody's organization, with these roles. */
export async function colleagueOf(person: Person, roles: readonly string[], firstName = 'Ben'): Promise<Person & { readonly id: string }> {
  const name = `ben-${randomUUID().slice(0, 8)}`;
  const email = `${name}@example.org`;
  const known = await person.calls<{ id: string; name: string }[]>('GET', '/api/roles?limit=100');
  const roleIds = known.filter(({ name: role }) => roles.includes(role)).map(({ id }) => id);
  const { id } = await person.calls<{ id: string }>('POST', '/api/users', { email, username: name, firstName, lastName: 'Miller', password: PASSWORD, roleIds });
  return Object.assign(await signedIn(email, PASSWORD), { id });
}

/** Somebody whose password is known. */
export async function signedIn(email: string, password: string): Promise<Person> {
  return new Person(email, password, await call<Session>('POST', '/api/auth/local-login', { usernameOrEmail: email, password }));
}

async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const answer = await fetch(`${stage().url}${path}`, { method, headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token !== undefined && { authorization: `Bearer ${token}` }) }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
}
