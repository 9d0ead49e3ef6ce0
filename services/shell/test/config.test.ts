import { createHmac } from 'node:crypto';
import { readConfig } from '../src/index.js';
import { HealthService } from '../src/modules/settings/health.service.js';
import { InfrastructureService } from '../src/modules/settings/infrastructure.service.js';
import { registeredApp } from './support/gateway.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { useShell } from './support/shell.js';

/** Every variable that can hold a secret, with one that is found wherever it shows up. */
const SECRETS = {
  APP_ENV_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  APP_ENV_ADMIN_PASSWORD: 'canary-admin-password',
  APP_ENV_OPERATOR_CLIENT_SECRET: 'canary-operator-client-secret',
  APP_ENV_IDP_CLIENT_SECRET: 'canary-idp-client-secret',
  APP_ENV_IDP_PROVIDERS: JSON.stringify([{ providerId: 'second', url: 'https://canary-user:canary-idp-password@idp2.example.org/realms/x?token=canary-query', clientId: 'shell2', clientSecret: 'canary-second-client-secret' }]),
  APP_ENV_APP_CLIENTS: JSON.stringify([{ slug: 'drive', clientId: 'drive-client', clientSecret: 'canary-app-client-secret' }]),
  APP_ENV_SMTP_URL: 'smtp://canary-mailer:canary-smtp-password@mail.example.org:587',
  APP_ENV_STRIPE_SECRET_KEY: 'canary-stripe-secret-key',
  APP_ENV_STRIPE_WEBHOOK_SECRET: 'canary-stripe-webhook-secret',
  APP_ENV_PAYMENT_WEBHOOK_URL: 'https://platform.test/hook?canary=1',
};
const OPEN = {
  APP_ENV_IDP_URL: 'https://login.example.org/realms/acme', APP_ENV_IDP_INTERNAL_URL: 'http://keycloak.idp.svc:8080/realms/acme', APP_ENV_IDP_CLIENT_ID: 'shell', APP_ENV_IDP_PROVIDER_ID: 'acme',
  APP_ENV_STORAGE: 's3', APP_ENV_S3_ENDPOINT: 'http://canary:canary-s3-password@minio.storage.svc:9000', APP_ENV_S3_BUCKET: 'files', APP_ENV_S3_REGION: 'eu-central-1', APP_ENV_PAYMENT_PROCESSOR: 'stripe',
};

const shell = useShell({ ...SECRETS, ...OPEN });
let chief: Person;
beforeAll(async () => {
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});
const get = (token?: string) => shell().as(token).get('/api/config');

describe('GET /api/config', () => {
  it('is for administrators of the platform', async () => {
    await get().expect(401);
    await get((await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' })).token).expect(403);
    await get(await (await shell().organization()).member(['infrastructure:read'])).expect(200);
  });

  it('says what the platform runs on', async () => {
    const app = await registeredApp(shell(), { uiUrl: 'https://app.example.org/ui' });
    const answer = await get(chief.token).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body.data).toEqual({
      identityProvider: {
        mode: 'oidc', issuer: 'http://platform.test', audience: 'platform', jwksUrl: 'http://platform.test/api/.well-known/jwks.json',
        providers: [
          { providerId: 'acme', type: 'oidc', url: 'https://login.example.org/realms/acme', internalUrl: 'http://keycloak.idp.svc:8080/realms/acme', clientId: 'shell', scope: 'openid email profile' },
          { providerId: 'second', type: 'oidc', url: 'https://idp2.example.org/realms/x', internalUrl: 'https://idp2.example.org/realms/x', clientId: 'shell2', scope: 'openid email profile' },
        ],
      },
      objectStorage: { kind: 's3', folder: null, endpoint: 'http://minio.storage.svc:9000', publicEndpoint: null, region: 'eu-central-1', bucket: 'files' },
      keyValueStore: { kind: 'in-process', address: null, status: 'UP' },
      database: { kind: 'postgresql', address: expect.stringMatching(/^postgres(ql)?:\/\/[^@?]*\/shell_/), status: 'UP' },
      services: [
        { slug: 'shell', name: 'Shell', apiUrl: 'http://platform.test/api', uiUrl: 'http://platform.test', status: 'active', version: expect.any(String) },
        { slug: app.slug, name: app.slug, apiUrl: `/${app.slug}/api`, uiUrl: 'https://app.example.org/ui', status: 'active', version: null },
      ],
      features: { identityProviderLogin: true, payments: 'stripe', currency: 'usd', trialDays: 14, mail: 'smtp', responseEnvelope: 'B', auditRetentionDays: 0, keyRotationDays: 30 },
    });
  });

  it('holds no secret, whichever variable it is in', async () => {
    const { text } = await get(chief.token).expect(200);
    expect(text).not.toMatch(/canary/i);
    expect(text).not.toContain(SECRETS.APP_ENV_KEY_ENCRYPTION_KEY);
    const { keyEncryptionKey } = shell().shell.container.config.tokens;
    for (const derived of [keyEncryptionKey.toString('hex'), createHmac('sha256', keyEncryptionKey).update('webhooks of the local payment processor').digest('base64url')]) expect(text).not.toContain(derived);
    expect(text).not.toMatch(/PRIVATE KEY|"[^"]*(secret|password|key)[^"]*":"/i);
  });

  it('does not tell the passwords of database and key-value store', async () => {
    const config = readConfig({
      ...SECRETS, ...OPEN, APP_ENV_PUBLIC_URL: 'http://platform.test', APP_ENV_JWT_ISSUER: 'i', APP_ENV_JWT_AUDIENCE: 'a', APP_ENV_ADMIN_EMAIL: 'a@example.org',
      DATABASE_URL: 'postgresql://shell:canary-db%40password@db.example.org:5432/shell?sslpassword=canary', REDIS_URL: 'rediss://:canary-redis-password@cache.example.org:6380/2',
    });
    const { db, redis } = shell().shell.container;
    const view = await new InfrastructureService(config, new HealthService(db, redis, '1'), () => Promise.resolve([])).view();
    expect(view).toMatchObject({ keyValueStore: { kind: 'redis', address: 'rediss://cache.example.org:6380/2' }, database: { address: 'postgresql://db.example.org:5432/shell' } });
    expect(JSON.stringify(view)).not.toContain('canary');
  });
});

describe('a service client of the configuration', () => {
  it.each([
    ['the platform\'s own', 'main-operator', 'APP_ENV_OPERATOR_CLIENT_ID'],
    ['that of an app', 'drive-client', 'APP_ENV_APP_CLIENTS'],
  ])('is either that of an installation or %s', (_whose, clientId, variable) => {
    const env = {
      ...SECRETS, ...OPEN, APP_ENV_PUBLIC_URL: 'http://platform.test', APP_ENV_JWT_ISSUER: 'i', APP_ENV_JWT_AUDIENCE: 'a', APP_ENV_ADMIN_EMAIL: 'a@example.org', APP_ENV_OPERATOR_CLIENT_ID: 'main-operator',
      DATABASE_URL: 'postgresql://db.example.org:5432/shell', REDIS_URL: 'redis://cache.example.org:6379',
    };
    const configured = (id: string) => ({ ...env, APP_ENV_OPERATOR_INSTALLATIONS: JSON.stringify([{ installation: 'eu', clientId: id, clientSecret: 'canary-secret-of-the-cluster' }]) });
    expect(() => readConfig(configured(clientId))).toThrow(`APP_ENV_OPERATOR_INSTALLATIONS: names the clientId "${clientId}", which is that of ${variable} too`);
    expect(readConfig(configured('operator-eu')).seed.installations).toHaveLength(1);
  });
});

describe('a Shell with nothing configured', () => {
  const plain = useShell();

  it('says so', async () => {
    const { token } = await personIn(plain(), await platformOf(plain()), { systemRole: 'SUPER_ADMIN' });
    const { data } = (await plain().as(token).get('/api/config').expect(200)).body;
    expect(data).toMatchObject({ identityProvider: { mode: 'local', providers: [] }, objectStorage: null, features: { identityProviderLogin: false, payments: 'local', mail: 'folder' } });
    const folder = await plain().second({ APP_ENV_STORAGE_FOLDER: '/srv/files' });
    expect((await folder.as(token).get('/api/config').expect(200)).body.data.objectStorage).toMatchObject({ kind: 'folder', folder: '/srv/files', endpoint: null });
    await folder.stop();
  });
});
