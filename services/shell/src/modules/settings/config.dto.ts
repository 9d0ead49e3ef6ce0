import type { AppStatus } from '../apps/index.js';
import type { ComponentStatus } from './health.service.js';

/** What the platform runs on. Addresses are without credentials and parameters; no secret is in here. */
export interface ConfigView {
  identityProvider: ConfigIdentityProviderView;
  /** Where satellites keep what people upload, as far as the Shell was told; null when it was not. */
  objectStorage: ConfigObjectStorageView | null;
  keyValueStore: ConfigKeyValueStoreView;
  database: ConfigDatabaseView;
  /** The Shell and every app of the registry. */
  services: ConfigServiceView[];
  features: ConfigFeaturesView;
}

export interface ConfigIdentityProviderView {
  /** `oidc` when people can sign in through a provider, `local` when only with passwords. */
  mode: 'oidc' | 'local';
  providers: ConfigProviderView[];
  /** `iss` and `aud` of the Shell's own tokens. */
  issuer: string;
  audience: string;
  jwksUrl: string;
}

export interface ConfigProviderView {
  providerId: string;
  type: string;
  /** As browsers reach it. */
  url: string;
  /** As the server reaches it. */
  internalUrl: string;
  /** Our name there. */
  clientId: string;
  scope: string;
}

export interface ConfigObjectStorageView {
  kind: 'folder' | 's3';
  folder: string | null;
  endpoint: string | null;
  publicEndpoint: string | null;
  region: string | null;
  bucket: string | null;
}

export interface ConfigKeyValueStoreView {
  /** `in-process` where the Shell was started without an address of one. */
  kind: 'redis' | 'in-process';
  address: string | null;
  status: ComponentStatus;
}

export interface ConfigDatabaseView {
  kind: 'postgresql';
  address: string;
  status: ComponentStatus;
}

export interface ConfigServiceView {
  slug: string;
  name: string;
  /** Address of the API; for the Shell the platform's own. */
  apiUrl: string;
  uiUrl: string | null;
  status: AppStatus;
  version: string | null;
}

export interface ConfigFeaturesView {
  identityProviderLogin: boolean;
  /** Who is paid. */
  payments: 'none' | 'local' | 'stripe';
  currency: string;
  /** Days for which a paid plan can be tried. */
  trialDays: number;
  /** `folder`: mails are files of the outbox. */
  mail: 'smtp' | 'folder';
  /** Variant of the answers' envelope. */
  responseEnvelope: 'A' | 'B' | 'C';
  /** Days for which the audit trail is kept; 0 = for ever. */
  auditRetentionDays: number;
  keyRotationDays: number;
}
