import { AppError } from '../core/index.js';
import { bearerOf } from './bearer.js';
import type { ServiceClaims } from './service-token-verifier.js';
import type { ShellConnection } from './shell-connection.js';

/** The service is who it says, and is not let in here. */
export class ServiceNotAllowed extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'auth.service_not_allowed';
  constructor(clientId: string) {
    super(`The service client ${clientId} may not call this service. Its deployment lists those that may.`, { clientId });
  }
}

/** Clients of an app are named by its slug and twelve digits. */
const OF_APP = /-[0-9a-f]{12}$/;

/**
 * Lets services in that the deployment lists, by client id or by the slug of their app; nobody unless listed.
 * The result throws TokenRefused, ServiceNotAllowed or ShellUnavailable.
 */
export function createServiceGuard(shell: Pick<ShellConnection, 'serviceOf'>, allowed: readonly string[]): (authorization: string | undefined) => Promise<ServiceClaims> {
  const listed = new Set(allowed);
  return async (authorization) => {
    const claims = await shell.serviceOf(bearerOf(authorization));
    const { client_id } = claims;
    if (listed.has(client_id) || (OF_APP.test(client_id) && listed.has(client_id.replace(OF_APP, '')))) return claims;
    throw new ServiceNotAllowed(client_id);
  };
}
