import { dictionary } from '@zxcvbn-ts/language-common';
import { InvalidFields } from '@satellite/kit/core';
import { MAX_PASSWORD_BYTES } from './password-hasher.js';

/** Section 8 of the interface. */
const MIN_PASSWORD_CHARS = 8;
const COMMON = new Set((dictionary['passwords-common'] as readonly string[]).slice(0, 10_000));

/** Throws InvalidFields for a password that must not be set (NIST SP 800-63B: long enough, not well-known, no composition rules). */
export function assertUsablePassword(field: string, password: string): void {
  const refuse = (message: string): never => {
    throw new InvalidFields([{ field, message }]);
  };
  if (password.length < MIN_PASSWORD_CHARS) refuse(`must be at least ${MIN_PASSWORD_CHARS} characters`);
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) refuse(`must be at most ${MAX_PASSWORD_BYTES} bytes`); // bcrypt would cut it silently
  if (password.includes('\0')) refuse('must not contain NUL');
  if (COMMON.has(password.toLowerCase())) refuse('is one of the most common passwords; choose another one');
}
