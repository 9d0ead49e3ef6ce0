import { randomUUID } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { useShell } from './support/shell.js';

const shell = useShell();
let admin: string;
beforeAll(async () => {
  admin = await (await shell().organization()).member(['apps:write']);
});
async function app(over: object = {}): Promise<{ id: string; slug: string }> {
  const slug = `app-${randomUUID().slice(0, 8)}`;
  return (await shell().as(admin).post('/api/admin/apps').send({ slug, name: slug, type: 'x', apiUrl: '/x', permissions: [{ code: `${slug}.files:read` }, { code: `${slug}.files:write` }], ...over }).expect(201)).body.data;
}
const exchange = (token: string | undefined, body: object) => shell().as(token).post('/api/auth/exchange').send(body);

describe('exchanging the Shell\'s token', () => {
  it('needs a token, and a service that is there, active and enabled', async () => {
    const org = await shell().organization();
    const token = await org.member();
    await exchange(undefined, { service: 'x' }).expect(401);
    await exchange(token, {}).expect(400);
    expect((await exchange(token, { service: 'no-such-app' }).expect(400)).body.error.details.reason).toBe('auth.invalid_target');
    expect((await exchange(token, { service: 'nul\0' }).expect(400)).body.error.details.reason).toBe('auth.invalid_target');
    const inactive = await app({ status: 'inactive' });
    await exchange(token, { service: inactive.slug }).expect(400);
    const elsewhere = await app({ organizations: { all: false, slugs: ['elsewhere'] } });
    expect((await exchange(token, { service: elsewhere.slug }).expect(403)).body.error.details.reason).toBe('auth.app_not_enabled');
    const switchable = await app();
    await exchange(token, { service: switchable.slug }).expect(200);
    await shell().as(admin).put(`/api/admin/apps/${switchable.id}/organizations/${org.id}`).send({ enabled: false }).expect(200);
    await exchange(token, { service: switchable.slug }).expect(403);
  });

  it('narrows the token to the app: audience, and the permissions it declares', async () => {
    const { slug } = await app();
    const org = await shell().organization();
    const token = await org.member([`${slug}.files:read`, 'users:list', 'other-app.files:read']);
    const { data } = (await exchange(token, { service: slug }).expect(200)).body;
    expect(data).toMatchObject({ service: slug, tokenType: 'Bearer', expiresIn: expect.any(Number) });
    const keys = createRemoteJWKSet(new URL(`${shell().url}/api/.well-known/jwks.json`));
    const { payload } = await jwtVerify(data.accessToken, keys, { issuer: 'http://platform.test', audience: slug, typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: decodeJwt(token).sub, organizationId: org.id, sid: decodeJwt(token)['sid'], permissions: [`${slug}.files:read`] });
    expect(payload.exp).toBeLessThanOrEqual(decodeJwt(token).exp ?? 0);
    expect(payload.jti).not.toBe(decodeJwt(token).jti);
  });

  it('gives administrators everything that an app declares, from the moment it is registered', async () => {
    const { data } = (await shell().as().post('/api/auth/register').send({ email: `${randomUUID()}@example.org`, username: `u${randomUUID().slice(0, 8)}`, password: 'a password to remember', firstName: 'A', lastName: 'B', plan: 'HOBBY' }).expect(201)).body;
    const { id, slug } = await app();
    const exchanged = (await exchange(data.accessToken, { service: slug }).expect(200)).body.data;
    expect(decodeJwt(exchanged.accessToken)['permissions']).toEqual([`${slug}.files:read`, `${slug}.files:write`]);
    await shell().as(admin).put(`/api/admin/apps/${id}`).send({ permissions: [{ code: `${slug}.files:share` }] }).expect(200);
    const again = (await exchange(data.accessToken, { service: slug }).expect(200)).body.data;
    expect(decodeJwt(again.accessToken)['permissions']).toEqual([`${slug}.files:share`]);
  });

  it('gives no way back and no way on', async () => {
    const { slug } = await app();
    const token = await (await shell().organization()).member(['apps:list']);
    const { accessToken } = (await exchange(token, { service: slug }).expect(200)).body.data;
    await shell().as(accessToken).get('/api/admin/apps').expect(401);
    await exchange(accessToken, { service: slug }).expect(401);
    await exchange(token, { service: 'platform' }).expect(400); // the Shell's own audience is no app, and cannot become one
    await shell().as(admin).post('/api/admin/apps').send({ slug: 'platform', name: 'x', type: 'x', apiUrl: '/x' }).expect(400);
    const disguised = await app();
    await shell().query(`update apps set slug = 'platform' where id = ?`, [disguised.id]);
    await exchange(token, { service: 'platform' }).expect(400);
    await shell().query(`update apps set slug = ? where id = ?`, [disguised.slug, disguised.id]);
  });

  it('keeps the organization of the token, whatever else the request says', async () => {
    const { slug } = await app();
    const [mine, theirs] = [await shell().organization(), await shell().organization()];
    const token = await mine.member();
    await exchange(token, { service: slug, organizationId: theirs.id }).expect(400);
    const { accessToken } = (await exchange(token, { service: slug }).set('x-org-id', theirs.id).set('x-organization-id', theirs.id).expect(200)).body.data;
    expect(decodeJwt(accessToken)['organizationId']).toBe(mine.id);
  });

  it('ends with the session', async () => {
    const { slug } = await app();
    const token = await (await shell().organization()).member();
    await shell().as(token).post('/api/auth/logout').expect(200);
    await exchange(token, { service: slug }).expect(401);
  });
});
