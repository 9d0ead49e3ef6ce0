import { envJsonList } from '@satellite/kit/config';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** One identity provider of the deployment. */
export const ProviderConfig = z.strictObject({
  /** Name in `GET /api/auth/login?provider=`. */
  providerId: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits or -'),
  type: z.literal('oidc').default('oidc'),
  /** Issuer as browsers reach it. */
  url: address,
  /** The same provider as the server reaches it; `url` unless given. */
  internalUrl: address.optional(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scope: z.string().default('openid email profile'),
});

export type ProviderConfig = z.output<typeof ProviderConfig>;

/** APP_ENV_IDP_PROVIDERS: a JSON list. */
export const providerList = envJsonList(ProviderConfig, 'providers')
  .refine((list) => new Set(list.map(({ providerId }) => providerId)).size === list.length, 'names a providerId twice');
