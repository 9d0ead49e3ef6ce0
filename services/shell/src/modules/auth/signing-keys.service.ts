import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import { messageOf, systemClock, type Clock } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import type { KeyVault } from './key-vault.js';
import type { SigningKeysRepository, StoredKey } from './signing-keys.repository.js';

/** Algorithm of every token of the Shell (section 2.1 of the interface). */
export const SIGNING_ALGORITHM = 'RS256';

/** When keys come and go; all in seconds. */
export interface KeySchedule {
  /** Life of a key as the one that signs. */
  readonly rotation: number;
  /** How long a new key is published before it signs: verifiers keep a key set for `max-age` and may just have fetched it. */
  readonly publishAhead: number;
  /** How long a key verifies after its last signature: the longest life of a token. */
  readonly keepAfter: number;
  /** How often each process looks at the keys. */
  readonly check: number;
}

/** `Cache-Control: max-age` of the key set, in seconds. */
export const KEY_SET_MAX_AGE = 300;
export const DEFAULT_SCHEDULE: Omit<KeySchedule, 'rotation'> = { publishAhead: 2 * KEY_SET_MAX_AGE, keepAfter: 3600 + 300, check: 30 };

interface LoadedKey {
  readonly id: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly activeFrom: number;
}

/** The Shell's signing keys: in the database, encrypted, the same for every process, renewed by a schedule. */
export class SigningKeysService {
  /** The newest first. */
  private keys: readonly LoadedKey[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly vault: KeyVault,
    private readonly schedule: KeySchedule,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Loads the keys, making the first one on a fresh database, and begins to follow the schedule. Throws WrongEncryptionKey. */
  async start(): Promise<void> {
    await this.turn();
    this.timer = setInterval(() => {
      this.turn().catch((error: unknown) => this.logger.error({ error: messageOf(error) }, 'the signing keys cannot be looked at; the known ones stay in use'));
    }, this.schedule.check * 1000).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Does what the schedule asks for now, then takes over what other processes did. */
  async turn(): Promise<void> {
    const stored = await this.repository.all();
    if (this.isDue(stored)) await this.repository.change((keys) => this.decide(keys));
    const known = new Map(this.keys.map((key) => [key.id, key]));
    this.keys = await Promise.all((await this.repository.all()).map(async (key) => known.get(key.id) ?? this.loaded(key)));
  }

  private isDue(keys: readonly StoredKey[]): boolean {
    return this.needsNext(keys) || this.outlived(keys).length > 0;
  }

  private async decide(keys: readonly StoredKey[]): Promise<{ add?: StoredKey; remove: readonly string[] }> {
    const remove = this.outlived(keys);
    if (!this.needsNext(keys)) return { remove };
    const ahead = keys.length === 0 ? 0 : this.schedule.publishAhead;
    const add = await this.fresh(new Date(this.clock.now() + ahead * 1000));
    this.logger.info({ keyId: add.id, activeFrom: add.activeFrom.toISOString(), removed: remove }, 'a new signing key is published');
    return { add, remove };
  }

  /** The next key is published `publishAhead` before the newest has signed for its whole life. */
  private needsNext([newest]: readonly StoredKey[]): boolean {
    return newest === undefined || this.clock.now() >= newest.activeFrom.getTime() + (this.schedule.rotation - this.schedule.publishAhead) * 1000;
  }

  /** Keys whose successor has signed for so long that no token of theirs can be alive. */
  private outlived(keys: readonly StoredKey[]): string[] {
    const limit = this.clock.now() - this.schedule.keepAfter * 1000;
    return keys.filter((_key, index) => (keys[index - 1]?.activeFrom.getTime() ?? Infinity) < limit).map(({ id }) => id);
  }

  private async fresh(activeFrom: Date): Promise<StoredKey> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { modulusLength: 2048, extractable: true });
    const jwk = await exportJWK(publicKey);
    const id = await calculateJwkThumbprint(jwk);
    return { id, publicJwk: { ...jwk, kid: id, use: 'sig', alg: SIGNING_ALGORITHM }, privateKeyEncrypted: this.vault.seal(await exportPKCS8(privateKey)), activeFrom };
  }

  private async loaded(key: StoredKey): Promise<LoadedKey> {
    const privateKey = await importPKCS8(this.vault.open(key.privateKeyEncrypted), SIGNING_ALGORITHM);
    const publicKey = (await importJWK(key.publicJwk, SIGNING_ALGORITHM)) as CryptoKey;
    return { id: key.id, publicJwk: key.publicJwk, publicKey, privateKey, activeFrom: key.activeFrom.getTime() };
  }

  /** The key that signs now: the newest whose time has come. */
  signingKey(): { id: string; privateKey: CryptoKey } {
    const now = this.clock.now();
    const key = this.keys.find((candidate) => candidate.activeFrom <= now) ?? this.keys.at(-1);
    if (key === undefined) throw new Error('there is no signing key; start() was not called');
    return key;
  }

  verificationKey(id: string): CryptoKey | undefined {
    return this.keys.find((key) => key.id === id)?.publicKey;
  }

  /** RFC 7517 key set; public parts only, of keys that sign, will sign or may still verify. */
  keySet(): { keys: JWK[] } {
    return { keys: this.keys.map((key) => key.publicJwk) };
  }
}
