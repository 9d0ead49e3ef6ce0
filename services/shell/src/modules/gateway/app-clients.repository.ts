import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';

/** A service client of an app, without its secrets. */
export interface AppClient {
  readonly clientId: string;
  readonly createdAt: string;
  readonly rotatedAt: string | null;
  readonly hasPreviousSecret: boolean;
}

/** Service clients of apps; the table's trigger announces every change. */
export class AppClientsRepository {
  constructor(private readonly db: Database) {}

  async slugOf(appId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ slug: string }>('select slug from apps where id = ?', [appId]);
    return row?.slug;
  }

  /** Makes changes of one app's clients take turns. */
  async lock(slug: string): Promise<void> {
    await this.db.query('select pg_advisory_xact_lock(hashtextextended(?, 7316003))', [slug]);
  }

  async list(slug: string): Promise<AppClient[]> {
    const rows = await this.db.query<AppClient>(
      `select client_id as "clientId", created_at as "createdAt", rotated_at as "rotatedAt", previous_secret_hash is not null as "hasPreviousSecret"
       from service_clients where app_slug = ? and status = 'active' order by created_at, client_id`,
      [slug],
    );
    return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString(), rotatedAt: row.rotatedAt === null ? null : new Date(row.rotatedAt).toISOString() }));
  }

  async add(slug: string, clientId: string, secretHash: string): Promise<void> {
    await this.db.query(`insert into service_clients (id, client_id, secret_hash, permissions, app_slug, created_at, updated_at) values (?, ?, ?, '{}', ?, clock_timestamp(), now())`, [randomUUID(), clientId, secretHash, slug]);
  }

  /** The new secret beside the last one; the one before that ends. False when there is no such active client. */
  async rotate(slug: string, clientId: string, secretHash: string): Promise<boolean> {
    const rotated = await this.db.query(`update service_clients set previous_secret_hash = secret_hash, secret_hash = ?, rotated_at = now(), updated_at = now() where app_slug = ? and client_id = ? and status = 'active' returning id`, [secretHash, slug, clientId]);
    return rotated.length > 0;
  }

  /** Ends the secret before the last rotation. False when there is no such active client. */
  async endPrevious(slug: string, clientId: string): Promise<boolean> {
    return (await this.db.query(`update service_clients set previous_secret_hash = null, updated_at = now() where app_slug = ? and client_id = ? and status = 'active' returning id`, [slug, clientId])).length > 0;
  }

  /** The row stays, so that the id is never given again. False when there is no such active client. */
  async revoke(slug: string, clientId: string): Promise<boolean> {
    return (await this.db.query(`update service_clients set status = 'disabled', previous_secret_hash = null, updated_at = now() where app_slug = ? and client_id = ? and status = 'active' returning id`, [slug, clientId])).length > 0;
  }
}
