import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { entriesOf } from './support/audit.js';
import { CLIENT, IdentityProvider, ISSUER, type Account } from './support/identity-provider.js';
import { useShell } from './support/shell.js';

let idp: IdentityProvider;
const shell = useShell(async () => {
  idp = await IdentityProvider.start();
  const second = { providerId: 'dead', url: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y' };
  return {
    APP_ENV_IDP_URL: ISSUER, APP_ENV_IDP_INTERNAL_URL: idp.internalUrl, APP_ENV_IDP_PROVIDER_ID: 'main', APP_ENV_IDP_CLIENT_ID: CLIENT.clientId, APP_ENV_IDP_CLIENT_SECRET: CLIENT.clientSecret,
    APP_ENV_IDP_PROVIDERS: JSON.stringify([second]),
  };
});
afterAll(() => idp.stop());

const person = (over: Partial<Account> = {}): Account => {
  const sub = randomUUID();
  return { sub, email: `${sub}@idp.example.org`, email_verified: true, given_name: 'Ida', family_name: 'Provider', preferred_username: `ida-${sub.slice(0, 8)}`, ...over };
};
const cookiesOf = (headers: Record<string, unknown>): string[] => (headers['set-cookie'] as string[] | undefined) ?? [];
const cookieIn = (headers: Record<string, unknown>, name: string): string => cookiesOf(headers).find((cookie) => cookie.startsWith(`${name}=`))?.split(';')[0] ?? '';

async function begin(returnUrl?: string): Promise<{ loginUrl: string; cookie: string; state: string }> {
  const answer = await shell().as().get(`/api/auth/login?provider=main${returnUrl === undefined ? '' : `&returnUrl=${encodeURIComponent(returnUrl)}`}`).expect(200);
  const { loginUrl } = answer.body.data;
  return { loginUrl, cookie: cookieIn(answer.headers, 'shell_login'), state: new URL(loginUrl).searchParams.get('state') ?? '' };
}
const callback = (query: string, cookie: string, accept = 'application/json') => shell().as().get(`/api/auth/callback?${query}`).set('cookie', cookie).set('accept', accept);
async function signIn(account: Account) {
  const { loginUrl, cookie } = await begin();
  const back = await idp.follow(loginUrl, account);
  return callback(back.search.slice(1), cookie);
}

describe('signing in through a provider', () => {
  it('lists the providers, and refuses unknown and dead ones', async () => {
    expect((await shell().as().get('/api/auth/providers').expect(200)).body.data).toEqual([{ providerId: 'main', type: 'oidc' }, { providerId: 'dead', type: 'oidc' }]);
    await shell().as().get('/api/auth/login?provider=nobody').expect(400);
    const dead = await shell().as().get('/api/auth/login?provider=dead').expect(500);
    expect(dead.body.error).toMatchObject({ code: 'INTERNAL', details: { reason: 'auth.provider_unavailable', providerId: 'dead' } });
    expect(JSON.stringify(dead.body)).not.toContain('127.0.0.1');
  });

  it('sends the browser to the public address with PKCE S256, and keeps the state as the interface says', async () => {
    const { loginUrl, state, cookie } = await begin();
    const url = new URL(loginUrl);
    expect(url.origin).toBe(ISSUER);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ response_type: 'code', client_id: CLIENT.clientId, redirect_uri: 'http://platform.test/api/auth/callback', code_challenge_method: 'S256' });
    expect(JSON.parse((await shell().redis.get(`oauth:state:${state}`)) ?? '')).toEqual({ codeVerifier: expect.any(String), providerId: 'main' });
    expect(await shell().redis.ttl(`oauth:state:${state}`)).toBeGreaterThan(590);
    expect(cookie).not.toBe('');
  });

  it('ends in a redirect to the app with a session cookie that scripts cannot read', async () => {
    const { loginUrl, cookie } = await begin('/drive/files?x=1');
    const back = await idp.follow(loginUrl, person());
    const answer = await callback(back.search.slice(1), cookie, 'text/html').expect(302);
    expect(answer.headers['location']).toBe('http://platform.test/drive/files?x=1');
    const session = cookiesOf(answer.headers).find((value) => value.startsWith('shell_refresh=')) ?? '';
    expect(session).toMatch(/HttpOnly/);
    expect(session).toMatch(/SameSite=Strict/);
    expect(session).toMatch(/Path=\/api\/auth/);
    const refreshed = await shell().as().post('/api/auth/refresh').set('cookie', session.split(';')[0] ?? '').send({}).expect(200);
    expect(refreshed.body.data.refreshToken).toBeUndefined();
    expect(cookieIn(refreshed.headers, 'shell_refresh')).not.toBe(session.split(';')[0]);
    await shell().as(refreshed.body.data.accessToken).get('/api/auth/me').expect(200);
  });

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', '/%2f%2fevil.test', 'https://platform.test@evil.test/', 'http://platform.test.evil.test/', 'javascript:alert(1)'])('never leads to %s', async (returnUrl) => {
    const { loginUrl, cookie } = await begin(returnUrl);
    const back = await idp.follow(loginUrl, person());
    const answer = await callback(back.search.slice(1), cookie, 'text/html').expect(302);
    expect(answer.headers['location']).toBe('http://platform.test/');
  });

  it('answers JSON to who asks for it, and makes the person with an organization of their own, once', async () => {
    const account = person();
    const first = await signIn(account);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ accessToken: expect.any(String), user: { id: expect.any(String), email: account.email } });
    expect((await signIn(account)).body.data.user.id).toBe(first.body.data.user.id);
    const { data } = (await shell().as(first.body.data.accessToken).get('/api/auth/me').expect(200)).body;
    expect(data).toMatchObject({ firstName: 'Ida', lastName: 'Provider', username: account.preferred_username, organization: { subscriptionPlan: 'HOBBY' } });
    const moved = await signIn({ ...account, email: `moved-${account.email}` });
    expect(moved.body.data.user.id).toBe(first.body.data.user.id);
  });

  it('refuses a callback without state, with another browser\'s, a used or an expired one', async () => {
    const mine = await begin();
    const theirs = await begin();
    const back = await idp.follow(mine.loginUrl, person());
    const query = back.search.slice(1);
    for (const [given, cookie] of [[query, ''], [query, theirs.cookie], ['code=x', mine.cookie], ['', mine.cookie], [query.replace(mine.state, theirs.state), mine.cookie], [query.replace(mine.state, randomUUID()), mine.cookie]] as const) {
      expect((await callback(given, cookie).expect(400)).body.error.details.reason).toBe('auth.invalid_or_expired_state');
    }
    await callback(query, mine.cookie).expect(200);
    await callback(query, mine.cookie).expect(400);
    const late = await begin();
    const lateBack = await idp.follow(late.loginUrl, person());
    await shell().redis.del(`oauth:state:${late.state}`);
    await callback(lateBack.search.slice(1), late.cookie).expect(400);
  });

  it('refuses a wrong verifier, a foreign code and a refusal of the provider', async () => {
    const { loginUrl, cookie, state } = await begin();
    const back = await idp.follow(loginUrl, person());
    await shell().redis.set(`oauth:state:${state}`, JSON.stringify({ codeVerifier: 'another-verifier-that-is-long-enough-for-pkce-s256-xx', providerId: 'main' }));
    expect((await callback(back.search.slice(1), cookie).expect(400)).body.error.details.reason).toBe('auth.provider_refused');
    const other = await begin();
    await callback(`code=made-up&state=${other.state}`, other.cookie).expect(400);
    const denied = await begin();
    const refusal = await idp.follow(denied.loginUrl, undefined);
    expect((await callback(refusal.search.slice(1), denied.cookie).expect(400)).body.error.message).toContain('access_denied');
  });

  it('sends a person who is refused to the sign-in page, which says why; tools get the error', async () => {
    const denied = await begin('/drive');
    const refusal = await idp.follow(denied.loginUrl, undefined);
    const answer = await callback(refusal.search.slice(1), denied.cookie, 'text/html,application/xhtml+xml,*/*;q=0.8').expect(302);
    expect(answer.headers['location']).toBe('http://platform.test/sign-in?failed=auth.provider_refused');
    expect(cookieIn(answer.headers, 'shell_refresh')).toBe('');
    await callback('code=x&state=y', '', 'text/html').expect(302).expect('location', 'http://platform.test/sign-in?failed=auth.invalid_or_expired_state');
    await callback('code=x&state=y', '', '*/*').expect(400);
  });

  it('writes the refusal down when it is shown on the page too, and keeps the connection', async () => {
    const refused = await callback('code=x&state=y', '', 'text/html').expect(302);
    expect(await entriesOf(shell(), refused.headers['x-request-id'] ?? '', 1)).toMatchObject([{ action: 'auth.provider_sign_in', outcome: 'refused', reason: 'auth.invalid_or_expired_state' }]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let n = 0; n < 3; n += 1) {
      ports.add(await new Promise<number | undefined>((resolve, reject) => {
        const call = get(`${shell().url}/api/auth/callback?code=x&state=y`, { agent, headers: { accept: 'text/html' } }, (response) => {
          const { localPort } = response.socket;
          response.resume().once('end', () => resolve(localPort));
        });
        call.once('error', reject);
      }));
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('comes back to the page\'s own address for sign-ins that end, with the place to go on to in it', async () => {
    const { loginUrl, cookie } = await begin('/sign-in/complete?to=/apps/drive/folders%3Fq=a%26b=1');
    const back = await idp.follow(loginUrl, person());
    await callback(back.search.slice(1), cookie, 'text/html').expect(302).expect('location', 'http://platform.test/sign-in/complete?to=/apps/drive/folders%3Fq=a%26b=1');
  });

  it('never links a local account by an address alone', async () => {
    const org = await shell().organization();
    const { sub } = decodeJwt(await org.member());
    const email = `${sub}@example.org`;
    await shell().query(`update users set password_hash = 'x' where id = ?`, [sub]);
    expect((await signIn(person({ email, email_verified: false }))).body.error.details.reason).toBe('auth.email_not_verified');
    expect((await signIn(person({ email }))).body.error.details.reason).toBe('auth.link_required');
    expect(await shell().query('select from identities where user_id = ?', [sub])).toEqual([]);
    await shell().query(`insert into password_links (id, user_id, purpose, token_hash, email, created_at, expires_at, used_at) values (?, ?, 'reset', ?, ?, now(), now(), now())`, [randomUUID(), sub, randomUUID(), email]);
    expect((await signIn(person({ email }))).body.data.user.id).toBe(sub);
  });

  it('refuses suspended people', async () => {
    const account = person();
    const { id } = (await signIn(account)).body.data.user;
    await shell().query(`update users set status = 'suspended' where id = ?`, [id]);
    expect((await signIn(account)).status).toBe(401);
  });

  it('gives a new session each time and takes over none that was planted', async () => {
    const { loginUrl, cookie } = await begin();
    const back = await idp.follow(loginUrl, person());
    const planted = 'shell_refresh=planted-by-the-attacker';
    const answer = await callback(back.search.slice(1), `${cookie}; ${planted}`).expect(200);
    expect(cookieIn(answer.headers, 'shell_refresh')).not.toBe(planted);
    await shell().as().post('/api/auth/refresh').set('cookie', planted).send({}).expect(400);
  });
});

describe('exchanging a provider\'s token', () => {
  const exchange = (body: object, token?: string) => shell().as(token).post('/api/auth/exchange-idp').send(body);
  let app: string;
  beforeAll(async () => {
    app = `app-${randomUUID().slice(0, 8)}`;
    const admin = await (await shell().organization()).member(['apps:write']);
    await shell().as(admin).post('/api/admin/apps').send({ slug: app, name: app, type: 'x', apiUrl: '/x' }).expect(201);
  });

  it('refuses what the provider did not sign for us', async () => {
    const account = person();
    await signIn(account);
    const real = decodeJwt(await idp.idToken(account));
    const { privateKey } = await generateKeyPair('RS256');
    const forge = (claims: object) => new SignJWT({ ...real, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'x' }).sign(privateKey);
    const bad = [await forge({}), await forge({ iss: 'http://evil.test' }), 'text', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(real)).toString('base64url')}.`];
    for (const idpToken of bad) await exchange({ idpToken }).expect(401);
    await exchange({}).expect(400);
    await exchange({ idpToken: await idp.idToken(person()) }).expect(401); // nobody here
  });

  it('answers a Shell token, or one for the app, that ends no later than the provider\'s', async () => {
    const account = person();
    const { user } = (await signIn(account)).body.data;
    const idpToken = await idp.idToken(account);
    const own = (await exchange({ token: idpToken }).expect(200)).body.data;
    expect(own).toMatchObject({ tokenType: 'Bearer', service: 'shell' });
    expect((await shell().as(own.accessToken).get('/api/auth/me').expect(200)).body.data.id).toBe(user.id);
    const forApp = (await exchange({ idpToken, serviceId: app }).expect(200)).body.data;
    expect(decodeJwt(forApp.accessToken)).toMatchObject({ aud: app, sub: user.id });
    for (const { accessToken } of [own, forApp]) expect(decodeJwt(accessToken).exp).toBeLessThanOrEqual(decodeJwt(idpToken).exp ?? 0);
    await exchange({ idpToken, serviceId: 'no-such-app' }).expect(400);
  });

  it('wants both identities to be the same person when a bearer token comes too', async () => {
    const [ann, bob] = [person(), person()];
    const [asAnn, asBob] = [(await signIn(ann)).body.data.accessToken, (await signIn(bob)).body.data.accessToken];
    const idpToken = await idp.idToken(ann);
    await exchange({ idpToken }, asBob).expect(401);
    await exchange({ idpToken }, asAnn).expect(200);
    await exchange({ idpToken }, 'bad').expect(401);
    const forService = (token?: string) => shell().as(token).post('/api/auth/exchange-for-service').send({ idpToken, serviceId: app });
    await forService().expect(401);
    await forService(asBob).expect(401);
    expect((await forService(asAnn).expect(200)).body.data).toMatchObject({ tokenType: 'Bearer', service: app });
  });
});
