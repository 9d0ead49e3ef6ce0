import { createHash, createHmac } from 'node:crypto';

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** What of a token is stored: enough to know it again, nothing to guess it from. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** False for text that no link ever had. */
export const isToken = (text: string): boolean => FORM.test(text);

/**
 * Tokens of share links: 256 bits that nobody can guess without the key. They are made anew from a link's id where the
 * interface lists them, so that the database holds none; older keys still name the links that were made with them.
 */
export class LinkTokens {
  /** @param keys the newest first */
  constructor(private readonly keys: readonly Buffer[]) {}

  /** The token of a new link. */
  issue(linkId: string): string {
    return tokenBy(this.keys[0] ?? Buffer.alloc(0), linkId);
  }

  /** The token whose hash is stored; undefined when its key is gone. */
  find(linkId: string, hash: string): string | undefined {
    return this.keys.map((key) => tokenBy(key, linkId)).find((token) => hashOf(token) === hash);
  }
}

function tokenBy(key: Buffer, linkId: string): string {
  return createHmac('sha256', key).update(`share-link ${linkId}`).digest('base64url');
}
