import { bareAddress } from '@satellite/kit/core';
import type { ShellConfig } from '../../env.js';
import type { AppStatus } from '../apps/index.js';
import type { ConfigView, ConfigIdentityProviderView, ConfigObjectStorageView, ConfigServiceView } from './config.dto.js';
import type { HealthService } from './health.service.js';

/** An app as the registry knows it. */
export interface RegisteredService {
  readonly slug: string;
  readonly name: string;
  readonly apiUrl: string;
  readonly uiUrl: string | null;
  readonly status: AppStatus;
  readonly version: string | null;
}

const SECONDS_A_DAY = 86_400;

/**
 * What the platform runs on, for its administrators. Fields are named one by one: what is not named here is not told,
 * so a new secret in the configuration cannot get out.
 */
export class InfrastructureService {
  constructor(
    private readonly config: ShellConfig,
    private readonly health: HealthService,
    private readonly registered: () => Promise<readonly RegisteredService[]>,
  ) {}

  async view(): Promise<ConfigView> {
    const { config } = this;
    const [health, services] = [await this.health.view(), await this.registered()];
    const shell: ConfigServiceView = { slug: 'shell', name: 'Shell', apiUrl: `${bareAddress(config.http.publicUrl)}/api`, uiUrl: bareAddress(config.http.publicUrl), status: health.status === 'UP' ? 'active' : 'degraded', version: health.version };
    return {
      identityProvider: identityProviderOf(config),
      objectStorage: objectStorageOf(config),
      keyValueStore: { kind: config.redis.url === undefined ? 'in-process' : 'redis', address: config.redis.url === undefined ? null : bareAddress(config.redis.url), status: health.keyValueStore },
      database: { kind: 'postgresql', address: bareAddress(config.database.url), status: health.database },
      services: [shell, ...services.map(serviceOf).sort((a, b) => (a.slug < b.slug ? -1 : 1))],
      features: {
        identityProviderLogin: config.identityProviders.length > 0,
        payments: config.billing.processor,
        currency: config.billing.currency,
        trialDays: config.billing.trialDays,
        mail: config.mail.smtpUrl === undefined ? 'folder' : 'smtp',
        responseEnvelope: config.http.envelope,
        auditRetentionDays: config.audit.retentionDays,
        keyRotationDays: config.tokens.rotationSeconds / SECONDS_A_DAY,
      },
    };
  }
}

function identityProviderOf({ identityProviders, tokens, http }: ShellConfig): ConfigIdentityProviderView {
  const providers = identityProviders.map(({ providerId, type, url, internalUrl = url, clientId, scope }) => ({ providerId, type, url: bareAddress(url), internalUrl: bareAddress(internalUrl), clientId, scope }));
  return { mode: providers.length > 0 ? 'oidc' : 'local', providers, issuer: tokens.issuer, audience: tokens.audience, jwksUrl: `${bareAddress(http.publicUrl)}/api/.well-known/jwks.json` };
}

function objectStorageOf({ storage }: ShellConfig): ConfigObjectStorageView | null {
  if (storage === undefined) return null;
  if (storage.kind === 'folder') return { kind: 'folder', folder: storage.folder, endpoint: null, publicEndpoint: null, region: null, bucket: null };
  const address = (url: string | undefined): string | null => (url === undefined ? null : bareAddress(url));
  return { kind: 's3', folder: null, endpoint: address(storage.endpoint), publicEndpoint: address(storage.publicEndpoint), region: storage.region, bucket: storage.bucket ?? null };
}

function serviceOf({ slug, name, apiUrl, uiUrl, status, version }: RegisteredService): ConfigServiceView {
  return { slug, name, apiUrl: bareAddress(apiUrl), uiUrl: uiUrl === null ? null : bareAddress(uiUrl), status, version };
}
