import { z } from 'zod';
import { envHttpUrl, envJsonList, envList, readEnvironment, serviceVariables, storagePlaceVariables } from '@satellite/kit/config';
import { ENVELOPES } from '@satellite/kit/http';
import { ProviderConfig, providerList } from './modules/auth/oidc/provider-config.js';

const encryptionKey = z.string().transform((text, context) => {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  context.addIssue({ code: 'custom', message: 'must be 32 random bytes in base64, for example from: openssl rand -base64 32' });
  return z.NEVER;
});
const secret = z.string().min(24, 'must be at least 24 characters; take a random one');
const clientId = z.string().regex(/^[a-z][a-z0-9-]{1,62}$/, 'must be lower-case letters, digits and -');
const appClients = envJsonList(z.strictObject({ slug: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be the slug of an app'), clientId, clientSecret: secret }), 'clients of apps')
  .refine((list) => new Set(list.map((client) => client.clientId)).size === list.length, 'names a clientId twice');
const installations = envJsonList(z.strictObject({ installation: z.string().min(1).max(128), clientId, clientSecret: secret }), 'clients of installations')
  .refine((list) => (['installation', 'clientId'] as const).every((field) => new Set(list.map((client) => client[field])).size === list.length), 'names an installation or a clientId twice');

/** Currencies whose amounts are not in hundredths at payment processors. */
const WITHOUT_CENTS = new Set('bhd bif clp djf gnf iqd isk jod jpy kmf krw kwd lyd mga omr pyg rwf tnd ugx vnd vuv xaf xof xpf'.split(' '));
const perMinute = (limit: number) => z.coerce.number().int().min(1).max(1_000_000).default(limit);

const Environment = z
  .object({
    ...serviceVariables({ port: 3000 }),
    APP_ENV_JWT_ISSUER: z.string().min(1),
    APP_ENV_JWT_AUDIENCE: z.string().min(1).refine((audience) => audience !== 'shell-rbac', 'must differ from shell-rbac, which is the audience of the gateway'),
    APP_ENV_KEY_ENCRYPTION_KEY: encryptionKey,
    APP_ENV_RESPONSE_ENVELOPE: z.enum(ENVELOPES).default('B'),
    APP_ENV_IDP_URL: z.url().optional(),
    APP_ENV_IDP_INTERNAL_URL: z.url().optional(),
    APP_ENV_IDP_PROVIDER_ID: z.string().default('default'),
    APP_ENV_IDP_CLIENT_ID: z.string().optional(),
    APP_ENV_IDP_CLIENT_SECRET: z.string().optional(),
    APP_ENV_IDP_PROVIDERS: providerList.default([]),
    APP_ENV_OUTBOUND_ALLOW: envList.default([]),
    APP_ENV_ADMIN_EMAIL: z.email(),
    APP_ENV_ADMIN_PASSWORD: z.string().min(8).refine((text) => Buffer.byteLength(text) <= 72, 'must be at most 72 bytes'),
    APP_ENV_OPERATOR_CLIENT_ID: clientId.default('operator'),
    APP_ENV_OPERATOR_CLIENT_SECRET: secret,
    APP_ENV_OPERATOR_INSTALLATIONS: installations.default([]),
    APP_ENV_APP_CLIENTS: appClients.default([]),
    APP_ENV_PASSWORD_COST: z.coerce.number().int().min(4).max(15).default(12),
    APP_ENV_KEY_ROTATION_DAYS: z.coerce.number().positive().max(365).default(30),
    APP_ENV_SMTP_URL: z.string().regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address').optional(),
    APP_ENV_MAIL_FROM: z.string().min(3).default('Platform <no-reply@localhost>'),
    APP_ENV_MAIL_OUTBOX: z.string().min(1).default('.data/outbox'),
    ...storagePlaceVariables,
    APP_ENV_LIMIT_LOGIN_PER_MINUTE: perMinute(10),
    APP_ENV_LIMIT_RESET_PER_MINUTE: perMinute(3),
    APP_ENV_LIMIT_REGISTER_PER_MINUTE: perMinute(5),
    APP_ENV_LIMIT_ONBOARDING_PER_MINUTE: perMinute(5),
    APP_ENV_LIMIT_TOKEN_PER_MINUTE: perMinute(120),
    APP_ENV_LIMIT_KEYS_PER_MINUTE: perMinute(600),
    APP_ENV_PAYMENT_PROCESSOR: z.enum(['none', 'local', 'stripe']).default('none'),
    APP_ENV_PAYMENT_CURRENCY: z.string().regex(/^[a-z]{3}$/, 'must be a currency code like usd').refine((code) => !WITHOUT_CENTS.has(code), 'must be a currency with two decimals').default('usd'),
    APP_ENV_PAYMENT_RETURN_ORIGINS: envList.default([]).refine((origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), 'must be origins like https://app.example.org, without a path'),
    APP_ENV_PAYMENT_WEBHOOK_URL: envHttpUrl.optional(),
    APP_ENV_PAYMENT_GRACE_DAYS: z.coerce.number().int().min(0).max(90).default(7),
    APP_ENV_STRIPE_SECRET_KEY: z.string().default(''),
    APP_ENV_STRIPE_WEBHOOK_SECRET: z.string().default(''),
    APP_ENV_STRIPE_API_URL: envHttpUrl.optional(),
    APP_ENV_LIMIT_BILLING_PER_MINUTE: perMinute(60),
    APP_ENV_TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(14),
    APP_ENV_AUDIT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(0),
  })
  .superRefine((env, context) => {
    if (env.APP_ENV_PAYMENT_PROCESSOR !== 'stripe') return;
    for (const name of ['APP_ENV_STRIPE_SECRET_KEY', 'APP_ENV_STRIPE_WEBHOOK_SECRET'] as const) {
      if (env[name].trim().length < 8) context.addIssue({ code: 'custom', path: [name], message: 'is required with APP_ENV_PAYMENT_PROCESSOR=stripe' });
    }
  })
  .superRefine((env, context) => {
    const others = new Map([...env.APP_ENV_APP_CLIENTS.map((client) => [client.clientId, 'APP_ENV_APP_CLIENTS'] as const), [env.APP_ENV_OPERATOR_CLIENT_ID, 'APP_ENV_OPERATOR_CLIENT_ID'] as const]);
    for (const { clientId: id } of env.APP_ENV_OPERATOR_INSTALLATIONS) {
      const name = others.get(id);
      if (name !== undefined) context.addIssue({ code: 'custom', path: ['APP_ENV_OPERATOR_INSTALLATIONS'], message: `names the clientId "${id}", which is that of ${name} too; give the installation one of its own` });
    }
  })
  .superRefine((env, context) => {
    if (env.APP_ENV_IDP_URL === undefined) return;
    for (const name of ['APP_ENV_IDP_CLIENT_ID', 'APP_ENV_IDP_CLIENT_SECRET'] as const) {
      if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required with APP_ENV_IDP_URL' });
    }
  })
  .transform((env) => ({
    identityProviders: [...singleProvider(env), ...env.APP_ENV_IDP_PROVIDERS],
    http: { host: env.APP_ENV_HOST, port: env.APP_ENV_PORT, stopDelayMs: env.APP_ENV_STOP_DELAY_SECONDS * 1000, publicUrl: env.APP_ENV_PUBLIC_URL, envelope: env.APP_ENV_RESPONSE_ENVELOPE, trustedProxies: env.APP_ENV_TRUSTED_PROXIES },
    database: { url: env.DATABASE_URL },
    redis: { url: env.REDIS_URL },
    tokens: { issuer: env.APP_ENV_JWT_ISSUER, audience: env.APP_ENV_JWT_AUDIENCE, keyEncryptionKey: env.APP_ENV_KEY_ENCRYPTION_KEY, rotationSeconds: env.APP_ENV_KEY_ROTATION_DAYS * 86_400 },
    passwords: { cost: env.APP_ENV_PASSWORD_COST },
    mail: { smtpUrl: env.APP_ENV_SMTP_URL, from: env.APP_ENV_MAIL_FROM, outbox: env.APP_ENV_MAIL_OUTBOX },
    storage: placeOf(env),
    limits: { login: env.APP_ENV_LIMIT_LOGIN_PER_MINUTE, reset: env.APP_ENV_LIMIT_RESET_PER_MINUTE, register: env.APP_ENV_LIMIT_REGISTER_PER_MINUTE, onboarding: env.APP_ENV_LIMIT_ONBOARDING_PER_MINUTE, token: env.APP_ENV_LIMIT_TOKEN_PER_MINUTE, keys: env.APP_ENV_LIMIT_KEYS_PER_MINUTE, billing: env.APP_ENV_LIMIT_BILLING_PER_MINUTE },
    billing: {
      trialDays: env.APP_ENV_TRIAL_DAYS, graceDays: env.APP_ENV_PAYMENT_GRACE_DAYS, currency: env.APP_ENV_PAYMENT_CURRENCY, returnOrigins: env.APP_ENV_PAYMENT_RETURN_ORIGINS,
      processor: env.APP_ENV_PAYMENT_PROCESSOR, webhookUrl: env.APP_ENV_PAYMENT_WEBHOOK_URL,
      stripe: { secretKey: env.APP_ENV_STRIPE_SECRET_KEY, webhookSecret: env.APP_ENV_STRIPE_WEBHOOK_SECRET, apiUrl: env.APP_ENV_STRIPE_API_URL },
    },
    outbound: { allow: env.APP_ENV_OUTBOUND_ALLOW },
    seed: {
      admin: { email: env.APP_ENV_ADMIN_EMAIL, password: env.APP_ENV_ADMIN_PASSWORD },
      operator: { clientId: env.APP_ENV_OPERATOR_CLIENT_ID, clientSecret: env.APP_ENV_OPERATOR_CLIENT_SECRET },
      installations: env.APP_ENV_OPERATOR_INSTALLATIONS,
      appClients: env.APP_ENV_APP_CLIENTS,
    },
    audit: { retentionDays: env.APP_ENV_AUDIT_RETENTION_DAYS },
    logLevel: env.APP_ENV_LOG_LEVEL,
  }));

/** Where satellites keep what people upload: told to administrators, since the Shell itself keeps no objects. */
function placeOf(env: z.output<z.ZodObject<typeof storagePlaceVariables>>) {
  const { APP_ENV_STORAGE: kind, APP_ENV_STORAGE_FOLDER: folder, APP_ENV_S3_ENDPOINT: endpoint } = env;
  if (kind === 'folder') return folder === undefined ? undefined : { kind, folder };
  return { kind, endpoint, publicEndpoint: env.APP_ENV_S3_PUBLIC_ENDPOINT, region: env.APP_ENV_S3_REGION, bucket: env.APP_ENV_S3_BUCKET };
}

/** The provider of the plain variables, which the interface names. */
function singleProvider(env: { APP_ENV_IDP_URL?: string | undefined; APP_ENV_IDP_INTERNAL_URL?: string | undefined; APP_ENV_IDP_PROVIDER_ID: string; APP_ENV_IDP_CLIENT_ID?: string | undefined; APP_ENV_IDP_CLIENT_SECRET?: string | undefined }): ProviderConfig[] {
  if (env.APP_ENV_IDP_URL === undefined) return [];
  return [ProviderConfig.parse({ providerId: env.APP_ENV_IDP_PROVIDER_ID, url: env.APP_ENV_IDP_URL, internalUrl: env.APP_ENV_IDP_INTERNAL_URL, clientId: env.APP_ENV_IDP_CLIENT_ID ?? '', clientSecret: env.APP_ENV_IDP_CLIENT_SECRET ?? '' })];
}

export type ShellConfig = z.output<typeof Environment>;

/** The Shell's whole configuration; throws InvalidEnvironment that lists every problem at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ShellConfig {
  return readEnvironment(Environment, env);
}

const StoredDataAccess = z
  .object({ DATABASE_URL: serviceVariables({ port: 3000 }).DATABASE_URL, APP_ENV_KEY_ENCRYPTION_KEY: encryptionKey })
  .transform((env) => ({ url: env.DATABASE_URL, keyEncryptionKey: env.APP_ENV_KEY_ENCRYPTION_KEY }));

/** The part of it that reading stored data takes; throws InvalidEnvironment. */
export function readStoredDataAccess(env: Readonly<Record<string, string | undefined>>): z.output<typeof StoredDataAccess> {
  return readEnvironment(StoredDataAccess, env);
}

/** The environment of this process; nothing else in the Shell reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
