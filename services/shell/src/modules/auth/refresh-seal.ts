import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/**
 * A rotated refresh token leaves its successor behind, sealed with a key made of itself: within the grace period the
 * holder of the old token gets the same answer again, while the database alone cannot read it.
 */
const KEY_INFO = 'refresh-token-successor';

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', KEY_INFO, 32));
}

/** Each key seals exactly one text, so the nonce may be constant. */
const NONCE = Buffer.alloc(12);

export function sealSuccessor(token: string, successor: string): string {
  const cipher = createCipheriv('aes-256-gcm', keyOf(token), NONCE);
  const sealed = Buffer.concat([cipher.update(successor, 'utf8'), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64');
}

export function openSuccessor(token: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(token), NONCE);
  decipher.setAuthTag(bytes.subarray(0, 16));
  return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8');
}
