import { TokenRefused } from './errors.js';

/** The token of an Authorization header (RFC 6750); throws TokenRefused when there is none. */
export function bearerOf(authorization: string | undefined): string {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new TokenRefused();
  return token;
}
