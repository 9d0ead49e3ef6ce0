import type { JWK } from 'jose';
import type { Database } from '@satellite/kit/db';

export interface StoredKey {
  /** `kid` of the tokens it signs. */
  readonly id: string;
  readonly publicJwk: JWK;
  /** AES-256-GCM of the PKCS #8 key, see KeyVault. */
  readonly privateKeyEncrypted: string;
  readonly activeFrom: Date;
  readonly retiredAt: Date | null;
}

export class SigningKeysRepository {
  constructor(private readonly db: Database) {}

  /** Keys that may still verify something, newest first. */
  async all(): Promise<StoredKey[]> {
    const rows = await this.db.query<Omit<StoredKey, 'activeFrom' | 'retiredAt'> & { activeFrom: string; retiredAt: string | null }>(
      `select id, public_jwk as "publicJwk", private_key_encrypted as "privateKeyEncrypted", active_from as "activeFrom", retired_at as "retiredAt"
       from signing_keys order by active_from desc, id`,
    );
    return rows.map((row) => ({ ...row, activeFrom: new Date(row.activeFrom), retiredAt: row.retiredAt === null ? null : new Date(row.retiredAt) }));
  }

  /** Adds the key unless another process has made the first one meanwhile. */
  async addFirst(key: Omit<StoredKey, 'retiredAt'>): Promise<void> {
    await this.db.run(async () => {
      await this.db.query('lock table signing_keys in share row exclusive mode');
      await this.db.query(
        `insert into signing_keys (id, public_jwk, private_key_encrypted, created_at, active_from)
         select ?, ?::jsonb, ?, now(), ?::timestamptz where not exists (select from signing_keys where retired_at is null)`,
        [key.id, JSON.stringify(key.publicJwk), key.privateKeyEncrypted, key.activeFrom],
      );
    });
  }
}
