import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registeredApp } from './gateway.js';
import { CLIENT, IdentityProvider, ISSUER, type Account } from './identity-provider.js';
import { personIn, platformOf, roleIn, type Person } from './people.js';
import { ADMIN, OPERATOR, type TestShell } from './shell.js';

/** What a stage needs around the Shell. */
export interface Surroundings {
  readonly idp: IdentityProvider;
  /** Serves any satellite.json; the slug is the first part of the path. */
  readonly remote: Server;
}

export async function surroundings(): Promise<Surroundings> {
  const remote = createServer((request, response) => {
    const [, slug = '', file] = (request.url ?? '').split('/');
    response.writeHead(file === 'satellite.json' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ slug, name: 'Remote', type: 'satellite', apiUrl: '/api', version: '1.0.0' }));
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  return { idp: await IdentityProvider.start(), remote };
}

export function environmentOf({ idp, remote }: Surroundings): Record<string, string> {
  return {
    APP_ENV_IDP_URL: ISSUER, APP_ENV_IDP_INTERNAL_URL: idp.internalUrl, APP_ENV_IDP_PROVIDER_ID: 'main', APP_ENV_IDP_CLIENT_ID: CLIENT.clientId, APP_ENV_IDP_CLIENT_SECRET: CLIENT.clientSecret,
    APP_ENV_OUTBOUND_ALLOW: `127.0.0.1:${(remote.address() as AddressInfo).port}`,
  };
}

/** Makes everything that operations act on, and remembers every secret that it handed out or got. */
export class Stage {
  /** Must be nowhere but where they belong. */
  readonly secrets = new Set<string>([ADMIN.password, OPERATOR.clientSecret, CLIENT.clientSecret]);

  constructor(
    readonly shell: TestShell,
    private readonly around: Surroundings,
  ) {}

  /** A text that nobody may ever read again; usable as a password. */
  secret(): string {
    const secret = `marked-${randomUUID()}`;
    this.secrets.add(secret);
    return secret;
  }

  /** Remembers the secrets of an answer. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (/token$|secret$/i.test(name) && typeof part === 'string') this.secrets.add(part);
      else this.learn(part);
    }
  }

  async owner(): Promise<Person> {
    return this.known(await personIn(this.shell, (await this.shell.organization()).id, { systemRole: 'ADMIN' }));
  }

  async chief(): Promise<Person> {
    return this.known(await personIn(this.shell, await platformOf(this.shell), { systemRole: 'SUPER_ADMIN' }));
  }

  async colleagueOf({ organizationId }: Person): Promise<Person> {
    return this.known(await personIn(this.shell, organizationId));
  }

  private known(person: Person): Person {
    this.secrets.add(person.token);
    return person;
  }

  roleOf({ organizationId }: Person): Promise<string> {
    return roleIn(this.shell, organizationId, ['users:list']);
  }

  /** Somebody with a password, signed in. */
  async withPassword(): Promise<{ readonly token: string; readonly refreshToken: string; readonly username: string; readonly password: string }> {
    const [password, username] = [this.secret(), `u${randomUUID().slice(0, 8)}`];
    await this.shell.as((await this.owner()).token).post('/api/users').send({ email: `${username}@example.org`, username, firstName: 'Ann', lastName: 'Example', password }).expect(201);
    const { data } = (await this.shell.as().post('/api/auth/local-login').send({ username, password }).expect(200)).body;
    this.learn(data);
    return { token: data.accessToken, refreshToken: data.refreshToken, username, password };
  }

  /** Token of a link that was sent to somebody. */
  async passwordLink(): Promise<string> {
    const [token, { id, email }] = [this.secret(), await this.owner()];
    const digest = createHash('sha256').update(token).digest('hex');
    await this.shell.query(`insert into password_links (id, user_id, purpose, token_hash, email, created_at, expires_at) values (?, ?, 'reset', ?, ?, now(), now() + interval '1 hour')`, [randomUUID(), id, digest, email]);
    return token;
  }

  /** Somebody who has signed in through the provider once; answers an ID token of theirs, and their token here. */
  async throughProvider(): Promise<{ readonly idToken: string; readonly token: string }> {
    const sub = randomUUID();
    const account: Account = { sub, email: `${sub}@idp.example.org`, email_verified: true, given_name: 'Ida', family_name: 'Provider', preferred_username: `ida-${sub.slice(0, 8)}` };
    const begun = await this.shell.as().get('/api/auth/login?provider=main').expect(200);
    const back = await this.around.idp.follow(begun.body.data.loginUrl, account);
    const cookie = ((begun.headers['set-cookie'] as unknown as string[]) ?? []).map((value) => value.split(';')[0]).join('; ');
    const { data } = (await this.shell.as().get(`/api/auth/callback${back.search}`).set('cookie', cookie).set('accept', 'application/json').expect(200)).body;
    const idToken = await this.around.idp.idToken(account);
    this.learn({ ...data, idToken });
    this.secrets.add(back.searchParams.get('code') ?? '');
    return { idToken, token: data.accessToken };
  }

  app(): ReturnType<typeof registeredApp> {
    return registeredApp(this.shell);
  }

  /** A client of an app, with two secrets in use. */
  async appClient(): Promise<{ readonly id: string; readonly clientId: string }> {
    const [{ token }, { id }] = [await this.chief(), await this.app()];
    const { data } = (await this.shell.as(token).post(`/api/admin/apps/${id}/clients`).expect(201)).body;
    this.learn(data);
    this.learn((await this.shell.as(token).post(`/api/admin/apps/${id}/clients/${data.clientId}/rotate`).expect(200)).body.data);
    return { id, clientId: data.clientId };
  }

  async plan(): Promise<string> {
    const { body } = await this.shell.as((await this.chief()).token).post('/api/plans').send(this.planFields()).expect(201);
    return body.data.id;
  }

  planFields(): Record<string, unknown> {
    return { code: `P_${randomUUID().slice(0, 8)}`, name: 'Plan', monthlyPrice: 7, yearlyPrice: 70, section: 'business', ctaLabel: 'Choose', ctaLink: `/register?token=${this.secret()}` };
  }

  /** A card that the person's organization has saved; answers its id. */
  async card({ token }: Person): Promise<string> {
    const { clientSecret } = (await this.shell.as(token).post('/api/subscriptions/payment-methods/setup').send({}).expect(200)).body.data;
    this.secrets.add(clientSecret);
    await fetch(`${this.shell.url}/api/local-payment/setup/${clientSecret}`, { method: 'POST', body: new URLSearchParams({ card: 'visa' }) });
    return (await this.shell.as(token).get('/api/subscriptions/payment-methods').expect(200)).body.data[0].id;
  }

  /** An event of the local processor that concerns nobody, signed. */
  webhook(): { readonly body: object; readonly signature: string } {
    const body = { id: `evt_${randomUUID()}`, type: 'customer.updated', created: Math.floor(Date.now() / 1000), data: { object: { object: 'customer', id: 'cus_nobody', secret: this.secret() } } };
    const key = createHmac('sha256', Buffer.alloc(32, 7)).update('webhooks of the local payment processor').digest('base64url');
    return { body, signature: `t=${body.created},v1=${createHmac('sha256', key).update(`${body.created}.`).update(JSON.stringify(body)).digest('hex')}` };
  }

  remoteUrl(): string {
    return `http://127.0.0.1:${(this.around.remote.address() as AddressInfo).port}/r-${randomUUID().slice(0, 8)}`;
  }
}
