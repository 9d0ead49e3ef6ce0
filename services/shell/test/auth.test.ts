import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, exportJWK, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { ADMIN, OPERATOR, useShell } from './support/shell.js';

const shell = useShell();

async function login(): Promise<string> {
  const { body } = await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: ADMIN.email, password: ADMIN.password }).expect(200);
  return body.data.accessToken;
}

describe('local login', () => {
  it.each([
    ['an unknown user', { usernameOrEmail: 'nobody@platform.test', password: ADMIN.password }],
    ['a wrong password', { usernameOrEmail: ADMIN.email, password: 'wrong password' }],
    ['a password that shares the first 72 bytes', { usernameOrEmail: ADMIN.email, password: ADMIN.password.padEnd(73, 'x') }],
    ['a user name with a NUL byte', { usernameOrEmail: 'admin\0', password: ADMIN.password }],
  ])('refuses %s with one and the same answer', async (_case, body) => {
    const answer = await shell().as().post('/api/auth/local-login').send(body).expect(401);
    expect(answer.body.error).toMatchObject({ code: 'UNAUTHORIZED', message: 'The user name or the password is wrong.', details: { reason: 'auth.invalid_credentials' } });
  });

  it.each([
    [{ password: 'x' }, 'usernameOrEmail'],
    [{ usernameOrEmail: 'admin', password: 1 }, 'password'],
    [{ usernameOrEmail: 'admin', password: 'x', roles: ['SUPER_ADMIN'] }, 'roles'],
    [{ usernameOrEmail: { $ne: '' }, password: 'x' }, 'usernameOrEmail'],
  ])('refuses %j and names the field', async (body, field) => {
    const { error } = (await shell().as().post('/api/auth/local-login').send(body).expect(400)).body;
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields: [{ field }] } });
  });

  it('refuses a form post, which a foreign page could send', async () => {
    await shell().as().post('/api/auth/local-login').type('form').send({ usernameOrEmail: ADMIN.email, password: ADMIN.password }).expect(415);
    await shell().as().post('/api/auth/local-login').type('text/plain').send(JSON.stringify({ usernameOrEmail: ADMIN.email, password: ADMIN.password })).expect(415);
  });

  it('refuses a body that is not JSON, or too large, before any hashing', async () => {
    await shell().as().post('/api/auth/local-login').type('json').send('{"usernameOrEmail"').expect(400);
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: 'admin', password: 'x'.repeat(1_000_000) }).expect(413);
  });

  it.each([['usernameOrEmail', ADMIN.email], ['usernameOrEmail', 'ADMIN@platform.TEST'], ['usernameOrEmail', 'admin'], ['username', 'admin']])('answers tokens for %s = %s', async (field, name) => {
    const { body } = await shell().as().post('/api/auth/local-login').send({ [field]: name, password: ADMIN.password }).expect(200);
    expect(body.data).toMatchObject({ expiresIn: 3600, tokenType: 'Bearer', user: { email: ADMIN.email, username: 'admin' } });
    expect(decodeJwt(body.data.accessToken)).toMatchObject({ sub: body.data.user.id, email: ADMIN.email, roles: ['SUPER_ADMIN'], organizationId: body.data.user.organizationId, iss: 'http://platform.test', aud: 'platform' });
  });

  it('stores the refresh token as a digest only', async () => {
    const { body } = await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200);
    const rows = await shell().query<{ hash: string }>('select token_hash as hash from refresh_tokens');
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.hash) && row.hash !== body.data.refreshToken)).toBe(true);
  });

  it('refuses a suspended person and a person of a suspended organization', async () => {
    await shell().query(`update users set status = 'suspended' where username = 'admin'`);
    await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(401);
    await shell().query(`update users set status = 'active' where username = 'admin'`);
    await shell().query(`update organizations set status = 'suspended' where slug = 'platform'`);
    await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(401);
    await shell().query(`update organizations set status = 'active' where slug = 'platform'`);
  });
});

describe('access tokens', () => {
  it('verify by the key set alone', async () => {
    const keys = createRemoteJWKSet(new URL(`${shell().url}/api/.well-known/jwks.json`));
    const { protectedHeader } = await jwtVerify(await login(), keys, { issuer: 'http://platform.test', audience: 'platform' });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const { body } = await shell().as().get('/api/.well-known/jwks.json').expect(200);
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('are refused when forged', async () => {
    const token = await login();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const known = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const { keys } = (await shell().as().get('/api/.well-known/jwks.json')).body;
    const pem = JSON.stringify(keys[0]);
    const hs = `${encode({ alg: 'HS256', kid: known.kid, typ: 'at+jwt' })}.${payload}`;
    const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged: Record<string, string> = {
      'alg none': `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'no signature': `${header}.${payload}.`,
      'HS256 with the public key': `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
      'changed payload': `${header}.${encode({ ...decodeJwt(token), roles: ['X'] })}.${signature}`,
      'own key in the header': await sign(attacker.privateKey, decodeJwt(token), { jwk: await exportJWK(attacker.publicKey), kid: known.kid }),
      'own key set in the header': await sign(attacker.privateKey, decodeJwt(token), { jku: 'http://127.0.0.1:9/jwks.json', kid: 'evil' }),
    };
    for (const [name, value] of Object.entries(forged)) {
      const { status } = await shell().as(value).get('/api/admin/apps');
      expect([name, status]).toEqual([name, 401]);
    }
  });

  it('are refused when they are ours but not for this', async () => {
    const { tokens, keys } = shell().shell.container;
    const { id, privateKey } = keys.signingKey();
    const claims = decodeJwt(await login());
    const now = Math.floor(Date.now() / 1000);
    const ours = (over: JWTPayload, typ = 'at+jwt'): Promise<string> => new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg: 'RS256', kid: id, typ }).sign(privateKey);
    const without = ({ aud: _aud, ...rest }: JWTPayload): JWTPayload => rest;
    const wrong: Record<string, string> = {
      'a service token': (await tokens.issueForService('operator')).accessToken,
      expired: await ours({ exp: now - 6 }),
      'not yet valid': await ours({ nbf: now + 60 }),
      'issued in the future': await ours({ iat: now + 3600 }),
      'another issuer': await ours({ iss: 'http://evil.test' }),
      'another audience': await ours({ aud: ['drive', 'document'] }),
      'no audience': await new SignJWT(without(claims)).setProtectedHeader({ alg: 'RS256', kid: id, typ: 'at+jwt' }).sign(privateKey),
      'another type': await ours({}, 'JWT'),
      'another organization': await ours({ organizationId: '00000000-0000-4000-8000-000000000000' }),
      'another session': await ours({ sid: '00000000-0000-4000-8000-000000000000' }),
    };
    for (const [name, value] of Object.entries(wrong)) {
      const { status } = await shell().as(value).get('/api/admin/apps');
      expect([name, status]).toEqual([name, 401]);
    }
    await shell().as(await ours({})).get('/api/admin/apps').expect(200);
  });

  it('stop working when the session ends, the person is suspended or the role goes', async () => {
    const org = await shell().organization();
    const token = await org.member(['apps:list']);
    await shell().as(token).get('/api/admin/apps').expect(200);
    await shell().query('delete from role_permissions where permission = ? and role_id in (select id from roles where organization_id = ?)', ['apps:list', org.id]);
    await shell().as(token).get('/api/admin/apps').expect(403);
    await shell().query('update sessions set ended_at = now() where organization_id = ?', [org.id]);
    await shell().as(token).get('/api/admin/apps').expect(401);
  });
});

describe('service tokens', () => {
  it.each([
    ['an unknown client', { clientId: 'nobody', clientSecret: OPERATOR.clientSecret }],
    ['a wrong secret', { clientId: OPERATOR.clientId, clientSecret: 'wrong' }],
    ['an empty secret', { clientId: OPERATOR.clientId, clientSecret: '' }],
  ])('are refused to %s', async (_case, body) => {
    const { error } = (await shell().as().post('/api/auth/service-token').send(body).expect(401)).body;
    expect(error.details.reason).toBe('auth.invalid_client');
  });

  it('are for the gateway and nothing else', async () => {
    const { body } = await shell().as().post('/api/auth/service-token').send(OPERATOR).expect(200);
    expect(body.data).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 });
    expect(decodeJwt(body.data.accessToken)).toMatchObject({ aud: 'shell-rbac', client_id: 'operator' });
    await shell().as(body.data.accessToken).get('/api/admin/apps').expect(401);
  });

  it('survive the rotation of the secret by one step', async () => {
    const rotated = await shell().second({ APP_ENV_OPERATOR_CLIENT_SECRET: 'another-secret-of-the-tests' });
    await shell().as().post('/api/auth/service-token').send({ ...OPERATOR, clientSecret: 'another-secret-of-the-tests' }).expect(200);
    await shell().as().post('/api/auth/service-token').send(OPERATOR).expect(200);
    await rotated.stop();
  });

  it('are those of apps that the deployment declares; nobody takes over another one\'s, and a revoked one stays revoked', async () => {
    const drive = { slug: 'drive', clientId: 'drive-service', clientSecret: 'a-secret-of-drive-for-the-tests' };
    const declared = await shell().second({ APP_ENV_APP_CLIENTS: JSON.stringify([drive]) });
    const { slug: _slug, ...credentials } = drive;
    const { body } = await shell().as().post('/api/auth/service-token').send(credentials).expect(200);
    expect(decodeJwt(body.data.accessToken)).toMatchObject({ client_id: 'drive-service' });
    await declared.stop();
    for (const [client, name] of [[{ ...drive, slug: 'notes' }, 'notes'], [{ ...drive, clientId: 'operator' }, 'drive']] as const) {
      await expect(shell().second({ APP_ENV_APP_CLIENTS: JSON.stringify([client]) })).rejects.toThrow(`give the one for ${name} another id`);
    }
    await shell().shell.container.db.query(`update service_clients set status = 'disabled' where client_id = 'drive-service'`);
    await (await shell().second({ APP_ENV_APP_CLIENTS: JSON.stringify([drive]) })).stop();
    await shell().as().post('/api/auth/service-token').send(credentials).expect(401);
  });

  it.each([['no JSON', '{'], ['no list', '{}'], ['a short secret', '[{"slug":"drive","clientId":"drive","clientSecret":"short"}]'], ['an unknown field', '[{"slug":"drive","clientId":"drive","clientSecret":"a-secret-of-drive-for-the-tests","admin":true}]']])('of apps are not read from %s, and the value is not shown', async (_what, value) => {
    const failure = await shell().second({ APP_ENV_APP_CLIENTS: value }).catch((error: Error) => error.message);
    expect(failure).toContain('APP_ENV_APP_CLIENTS');
    expect(failure).not.toContain('a-secret-of-drive');
  });
});

async function sign(key: KeyObject, claims: JWTPayload, header: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header }).sign(key);
}
