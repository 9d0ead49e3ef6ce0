import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

export const CLIENT = { clientId: 'shell', clientSecret: 'secret-of-the-shell-at-the-provider' };
export const CALLBACK = 'http://platform.test/api/auth/callback';
/** As browsers know the provider; nothing resolves it, so the server must use the internal address. */
export const ISSUER = 'http://idp.test';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly preferred_username?: string;
}

/** A key of its own: the provider's built-in one is for demonstrations. */
async function signingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
}

/** A real OpenID provider on loopback, behind a public name, whose one browser signs in as whom the test says. */
export class IdentityProvider {
  private readonly accounts = new Map<string, Account>();
  private readonly cookies = new Map<string, string>();
  requests: string[] = [];

  private constructor(
    private readonly provider: Provider,
    private readonly server: Server,
  ) {}

  static async start(): Promise<IdentityProvider> {
    const accounts = new Map<string, Account>();
    const provider = new Provider(ISSUER, {
      clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [CALLBACK], grant_types: ['authorization_code'], response_types: ['code'] }],
      jwks: { keys: [await signingKey()] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'preferred_username'] },
      conformIdTokenClaims: false,
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...accounts.get(id), sub: id }) }),
    });
    provider.proxy = true;
    const handle = provider.callback();
    const server = createServer((request, response) => {
      idp.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (request.url?.startsWith('/interaction/') === true) void idp.interact(request, response);
      else void handle(request, response);
    });
    const idp = new IdentityProvider(provider, server);
    Object.assign(idp, { accounts });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return idp;
  }

  get internalUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private next: Account | undefined;

  private async interact(request: Parameters<Provider['interactionDetails']>[0], response: Parameters<Provider['interactionDetails']>[1]): Promise<void> {
    const { prompt, params, session, grantId } = await this.provider.interactionDetails(request, response);
    if (this.next === undefined) return this.provider.interactionFinished(request, response, { error: 'access_denied' });
    if (prompt.name === 'login') return this.provider.interactionFinished(request, response, { login: { accountId: this.next.sub } });
    const grant = grantId === undefined ? new this.provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) }) : await this.provider.Grant.find(grantId);
    grant?.addOIDCScope('openid email profile');
    return this.provider.interactionFinished(request, response, { consent: { grantId: (await grant?.save()) ?? '' } });
  }

  /** What a browser does with an authorization URL: signs in (or refuses, without an account) and answers where it is sent. */
  async follow(authorizationUrl: string, account: Account | undefined): Promise<URL> {
    this.next = account;
    if (account) this.accounts.set(account.sub, account);
    this.cookies.clear();
    let url = new URL(authorizationUrl);
    for (let hops = 0; hops < 10; hops += 1) {
      if (url.origin !== ISSUER) return url;
      const response = await this.send(url, {});
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        this.cookies.set(pair.split('=')[0] ?? '', pair);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answers ${response.status}: ${(await response.text()).slice(0, 300)}`);
      url = new URL(location, url);
    }
    throw new Error('the provider redirects without end');
  }

  private send(url: URL, init: RequestInit): Promise<Response> {
    const headers = { cookie: [...this.cookies.values()].join('; '), 'x-forwarded-host': url.host, 'x-forwarded-proto': 'http', ...(init.headers as Record<string, string>) };
    return fetch(new URL(`${url.pathname}${url.search}`, this.internalUrl), { ...init, headers, redirect: 'manual' });
  }

  /** An ID token for our client, obtained past the Shell. */
  async idToken(account: Account): Promise<string> {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({ client_id: CLIENT.clientId, response_type: 'code', scope: 'openid email profile', redirect_uri: CALLBACK, code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' });
    const back = await this.follow(`${ISSUER}/auth?${query.toString()}`, account);
    const response = await this.send(new URL(`${ISSUER}/token`), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: CALLBACK, code_verifier: verifier }).toString(),
    });
    return ((await response.json()) as { id_token: string }).id_token;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
