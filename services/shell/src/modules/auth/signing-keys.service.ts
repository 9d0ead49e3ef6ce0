import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import type { KeyVault } from './key-vault.js';
import type { SigningKeysRepository, StoredKey } from './signing-keys.repository.js';

/** Algorithm of every token of the Shell (section 2.1 of the interface). */
export const SIGNING_ALGORITHM = 'RS256';

interface LoadedKey {
  readonly id: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly activeFrom: number;
  readonly retired: boolean;
}

/** The Shell's signing keys: in the database, encrypted, the same for every process. */
export class SigningKeysService {
  private keys: readonly LoadedKey[] = [];

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly vault: KeyVault,
  ) {}

  /** Loads the keys, making the first one on a fresh database. Throws WrongEncryptionKey. */
  async load(): Promise<void> {
    let stored = await this.repository.all();
    if (!stored.some((key) => key.retiredAt === null)) {
      await this.repository.addFirst(await this.fresh());
      stored = await this.repository.all();
    }
    this.keys = await Promise.all(stored.map((key) => this.loaded(key)));
  }

  private async fresh(): Promise<Omit<StoredKey, 'retiredAt'>> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { modulusLength: 2048, extractable: true });
    const jwk = await exportJWK(publicKey);
    const id = await calculateJwkThumbprint(jwk).catch(() => randomUUID());
    return { id, publicJwk: { ...jwk, kid: id, use: 'sig', alg: SIGNING_ALGORITHM }, privateKeyEncrypted: this.vault.seal(await exportPKCS8(privateKey)), activeFrom: new Date() };
  }

  private async loaded(key: StoredKey): Promise<LoadedKey> {
    const privateKey = await importPKCS8(this.vault.open(key.privateKeyEncrypted), SIGNING_ALGORITHM);
    const publicKey = (await importJWK(key.publicJwk, SIGNING_ALGORITHM)) as CryptoKey;
    return { id: key.id, publicJwk: key.publicJwk, publicKey, privateKey, activeFrom: key.activeFrom.getTime(), retired: key.retiredAt !== null };
  }

  /** The key that signs now: the newest that is active. */
  signingKey(): { id: string; privateKey: CryptoKey } {
    const now = Date.now();
    const key = this.keys.find((candidate) => !candidate.retired && candidate.activeFrom <= now) ?? this.keys.find((candidate) => !candidate.retired);
    if (key === undefined) throw new Error('there is no signing key; load() was not called');
    return key;
  }

  verificationKey(id: string): CryptoKey | undefined {
    return this.keys.find((key) => key.id === id)?.publicKey;
  }

  /** RFC 7517 key set; public parts only. */
  keySet(): { keys: JWK[] } {
    return { keys: this.keys.map((key) => key.publicJwk) };
  }
}
