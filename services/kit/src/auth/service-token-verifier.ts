import type { JWTPayload } from 'jose';
import { TokenRefused } from './errors.js';
import { createClaimsVerifier, type KeySetOptions } from './token-verifier.js';

/** Audience of tokens for services (section 5, item 9 of the interface). */
const SERVICE_AUDIENCE = 'shell-rbac';

/** Verified claims of a service's token. */
export interface ServiceClaims extends JWTPayload {
  readonly client_id: string;
}

export interface ServiceTokenVerifier {
  /** Throws TokenRefused, also for tokens of people, or ShellUnavailable. */
  verify(token: string): Promise<ServiceClaims>;
}

/** Verifies tokens that services get for their client credentials. */
export function createServiceTokenVerifier(options: KeySetOptions): ServiceTokenVerifier {
  return createClaimsVerifier({ ...options, audience: SERVICE_AUDIENCE }, (payload) => {
    const { client_id, sub, sid } = payload;
    if (typeof client_id !== 'string' || sub !== `client:${client_id}` || sid !== undefined) throw new TokenRefused();
    return payload as ServiceClaims;
  });
}
