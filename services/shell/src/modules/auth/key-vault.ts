import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The stored key was made with another APP_ENV_KEY_ENCRYPTION_KEY. */
export class WrongEncryptionKey extends Error {
  override readonly name = 'WrongEncryptionKey';
  constructor(options?: ErrorOptions) {
    super('The stored signing keys cannot be decrypted: APP_ENV_KEY_ENCRYPTION_KEY is not the one they were stored with. Restore it, or delete the rows of signing_keys (every session ends).', options);
  }
}

/** Encrypts signing keys at rest with AES-256-GCM (NIST SP 800-38D): base64 of iv, tag and ciphertext. */
export class KeyVault {
  constructor(private readonly key: Buffer) {}

  seal(plain: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  open(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new WrongEncryptionKey({ cause: error });
    }
  }
}
