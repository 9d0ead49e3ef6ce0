import { createHash, randomBytes } from 'node:crypto';

/** Tokens are long random strings, so a plain digest is enough to store them by. */
export function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** An unguessable token of 256 bits, safe in URLs. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
