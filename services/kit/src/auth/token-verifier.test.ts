import { createHmac, createPublicKey } from 'node:crypto';
import { base64url, exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters } from 'jose';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.js';

const ISSUER = 'http://platform.test';
interface Key { readonly id: string; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }
let keys: Key[];
let published: Key[];
let asked: string[];
let down: boolean;

const newKey = async (id: string): Promise<Key> => ({ id, ...(await generateKeyPair('RS256', { extractable: true })) });
const fetchKeys = (async (url: string | URL) => {
  asked.push(String(url));
  if (down) throw new TypeError('fetch failed');
  return new Response(JSON.stringify({ keys: await Promise.all(published.map(async ({ id, publicKey }) => ({ ...(await exportJWK(publicKey)), kid: id, alg: 'RS256', use: 'sig' }))) }));
}) as typeof fetch;
const verifierOf = (over: object = {}): TokenVerifier => createTokenVerifier({ issuer: ISSUER, audience: 'drive', jwksUrl: 'http://shell.test/jwks', fetch: fetchKeys, ...over });
const now = (): number => Math.floor(Date.now() / 1000);
const person = (over: object = {}) => ({ sub: 'ann', sid: 's', jti: 'j', organizationId: 'acme', roles: ['USER'], iss: ISSUER, aud: 'drive', iat: now(), exp: now() + 60, ...over });
const signed = (claims: object, key = keys[0] as Key, header: Partial<JWTHeaderParameters> = {}): Promise<string> => new SignJWT(claims as never).setProtectedHeader({ alg: 'RS256', kid: key.id, typ: 'at+jwt', ...header }).sign(key.privateKey);

beforeAll(async () => {
  keys = [await newKey('one'), await newKey('two'), await newKey('stranger')];
});
beforeEach(() => {
  published = keys.slice(0, 1);
  asked = [];
  down = false;
});

describe('a token', () => {
  it('of the Shell for this service is taken, and checked once', async () => {
    const verifier = verifierOf();
    const token = await signed(person({ permissions: ['drive.files:read'], act: { sub: 'client:x' } }));
    const claims = await verifier.verify(token);
    expect(claims).toMatchObject({ sub: 'ann', permissions: ['drive.files:read'], act: { sub: 'client:x' } });
    expect(await verifier.verify(token)).toBe(claims);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['of another issuer', { iss: 'http://evil.test' }], ['without issuer', { iss: undefined }], ['for another audience', { aud: 'document' }], ['for several others', { aud: ['a', 'b'] }], ['without audience', { aud: undefined }],
    ['that expired beyond the leeway', { exp: now() - 6 }], ['without expiry', { exp: undefined }], ['that begins later', { nbf: now() + 60 }], ['from the future', { iat: now() + 60 }],
    ['without subject', { sub: undefined }], ['without jti', { jti: undefined }], ['of a service', { sid: undefined, organizationId: undefined, roles: undefined, client_id: 'operator' }], ['without session', { sid: undefined }], ['whose roles are text', { roles: 'ADMIN' }], ['whose permissions are text', { permissions: 'drive.files:read' }],
  ])('%s is refused', async (_what, over) => {
    await expect(verifierOf().verify(await signed(person(over)))).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it.each(['JWT', 'jwt', 'id+jwt', undefined])('of type %s is refused', async (typ) => {
    await expect(verifierOf().verify(await signed(person(), keys[0], { typ } as never))).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('within the leeway is taken', async () => {
    await expect(verifierOf().verify(await signed(person({ exp: now() - 2 })))).resolves.toMatchObject({ sub: 'ann' });
  });

  it('without a signature, signed with the public key as a secret, or by a stranger is refused, and nobody else is asked for keys', async () => {
    const verifier = verifierOf();
    const none = `${base64url.encode(JSON.stringify({ alg: 'none', typ: 'at+jwt' }))}.${base64url.encode(JSON.stringify(person()))}.`;
    const head = `${base64url.encode(JSON.stringify({ alg: 'HS256', kid: 'one', typ: 'at+jwt' }))}.${base64url.encode(JSON.stringify(person()))}`;
    const pem = createPublicKey(await exportSPKI((keys[0] as Key).publicKey)).export({ format: 'pem', type: 'spki' });
    const confused = `${head}.${createHmac('sha256', pem).update(head).digest('base64url')}`;
    const jwk = await exportJWK((keys[2] as Key).publicKey);
    const foreign = await Promise.all([{ kid: 'one' }, { kid: 'one', jku: 'http://evil.test/jwks' }, { kid: 'one', jwk }, { kid: 'one', x5u: 'http://evil.test/x5u' }, { kid: '../../etc/passwd' }].map((header) => signed(person(), keys[2], header as never)));
    for (const token of ['', 'a.b.c', 'x'.repeat(5000), none, confused, ...foreign]) await expect(verifier.verify(token)).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(new Set(asked)).toEqual(new Set(['http://shell.test/jwks']));
  });
});

describe('the key set', () => {
  it('is fetched anew for an unknown key, once a cooldown however many strangers come', async () => {
    const patient = verifierOf({ cooldownMs: 60_000 });
    await patient.verify(await signed(person()));
    const strange = await Promise.all(Array.from({ length: 30 }, (_, index) => signed(person(), keys[2], { kid: `unknown-${index}` })));
    for (const token of strange) await expect(patient.verify(token)).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(asked).toHaveLength(1);
    published = keys.slice(0, 2);
    const eager = verifierOf({ cooldownMs: 0 });
    await eager.verify(await signed(person()));
    await expect(eager.verify(await signed(person(), keys[1]))).resolves.toMatchObject({ sub: 'ann' });
  });

  it('that a key left takes its tokens along, also those that were verified before', async () => {
    const verifier = verifierOf({ cacheMs: 0, cooldownMs: 0 });
    const [left, stays] = [await signed(person()), await signed(person(), keys[1])];
    published = keys.slice(0, 2);
    for (const token of [left, stays]) await verifier.verify(token);
    published = keys.slice(1, 2);
    await expect(verifier.verify(left)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(verifier.verify(stays)).resolves.toMatchObject({ sub: 'ann' });
    down = true;
    await expect(verifier.verify(left)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('is asked about verified tokens again when its time is over, and not before', async () => {
    const [lasting, short] = [verifierOf(), verifierOf({ cacheMs: 0 })];
    const token = await signed(person());
    for (const verifier of [lasting, lasting, lasting]) await verifier.verify(token);
    expect(asked).toHaveLength(1);
    await short.verify(token);
    await short.verify(token);
    expect(asked).toHaveLength(3);
  });

  it('that cannot be had refuses nobody and lets nobody in: unavailable', async () => {
    down = true;
    const verifier = verifierOf();
    await expect(verifier.verify(await signed(person()))).rejects.toMatchObject({ kind: 'unavailable' });
    down = false;
    await expect(verifier.verify(await signed(person()))).resolves.toMatchObject({ sub: 'ann' });
  });

  it('goes on for a while without the Shell, for keys that are known', async () => {
    const verifier = verifierOf({ cacheMs: 0, cooldownMs: 0 });
    const seen = await signed(person({ jti: 'seen' }));
    await verifier.verify(seen);
    down = true;
    await expect(verifier.verify(seen)).resolves.toMatchObject({ jti: 'seen' });
    await expect(verifier.verify(await signed(person({ jti: 'k' })))).resolves.toMatchObject({ jti: 'k' });
    const before = asked.length;
    await expect(verifier.verify(await signed(person({ jti: 'l' })))).resolves.toMatchObject({ jti: 'l' });
    await expect(verifier.verify(seen)).resolves.toMatchObject({ jti: 'seen' });
    expect(asked).toHaveLength(before); // and does not knock at every token
    await expect(verifier.verify(await signed(person(), keys[2]))).rejects.toMatchObject({ kind: 'unauthenticated' });
  });
});
