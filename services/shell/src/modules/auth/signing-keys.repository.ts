import type { JWK } from 'jose';
import type { Database } from '@satellite/kit/db';

export interface StoredKey {
  /** `kid` of the tokens it signs. */
  readonly id: string;
  readonly publicJwk: JWK;
  /** AES-256-GCM of the PKCS #8 key, see KeyVault. */
  readonly privateKeyEncrypted: string;
  /** Signs from this moment on, until the next key does. */
  readonly activeFrom: Date;
}

export class SigningKeysRepository {
  constructor(private readonly db: Database) {}

  /** Keys that may still verify something, newest first. */
  async all(): Promise<StoredKey[]> {
    const rows = await this.db.query<Omit<StoredKey, 'activeFrom'> & { activeFrom: string }>(
      `select id, public_jwk as "publicJwk", private_key_encrypted as "privateKeyEncrypted", active_from as "activeFrom"
       from signing_keys order by active_from desc, id`,
    );
    return rows.map((row) => ({ ...row, activeFrom: new Date(row.activeFrom) }));
  }

  /**
   * Runs `decide` on the keys while no other process can change them; adds the key it answers, removes those it names.
   */
  async change(decide: (keys: readonly StoredKey[]) => Promise<{ add?: StoredKey; remove: readonly string[] }>): Promise<void> {
    await this.db.run(async () => {
      await this.db.query('lock table signing_keys in share row exclusive mode');
      const { add, remove } = await decide(await this.all());
      if (remove.length > 0) await this.db.query('delete from signing_keys where id = any(?::text[])', [[...remove]]);
      if (add === undefined) return;
      await this.db.query('insert into signing_keys (id, public_jwk, private_key_encrypted, created_at, active_from) values (?, ?::jsonb, ?, now(), ?)', [add.id, JSON.stringify(add.publicJwk), add.privateKeyEncrypted, add.activeFrom]);
    });
  }
}
