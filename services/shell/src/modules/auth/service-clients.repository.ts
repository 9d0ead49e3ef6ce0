import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';

export interface ServiceClient {
  readonly clientId: string;
  readonly secretHash: string;
  /** The secret before the last rotation, good until the next one. */
  readonly previousSecretHash: string | null;
  readonly permissions: string[];
  /** The one that it speaks for; null: none in particular. */
  readonly installation: string | null;
  /** Those that other clients speak for. */
  readonly reserved: string[];
}

/** Services that may call the gateway. */
export class ServiceClientsRepository {
  constructor(private readonly db: Database) {}

  async findActive(clientId: string): Promise<ServiceClient | undefined> {
    const [row] = await this.db.query<ServiceClient>(
      `select client_id as "clientId", secret_hash as "secretHash", previous_secret_hash as "previousSecretHash", permissions, installation,
         array(select other.installation from service_clients other where other.installation is not null and other.status = 'active' and other.client_id <> service_clients.client_id) as reserved
       from service_clients where client_id = ? and status = 'active'`,
      [clientId],
    );
    return row;
  }

  /**
   * Makes the client what the deployment's configuration says; a changed secret keeps the old one alive for the
   * hand-over. False when the id belongs to another app, or to none while one is named: nothing is changed then.
   */
  async put(client: { clientId: string; secretHash: string; permissions: readonly string[]; appSlug?: string; installation?: string }): Promise<boolean> {
    const put = await this.db.query(
      `insert into service_clients (id, client_id, secret_hash, permissions, app_slug, installation, created_at, updated_at) values (?, ?, ?, ?, ?, ?, now(), now())
       on conflict (client_id) do update set permissions = excluded.permissions, installation = excluded.installation, secret_hash = excluded.secret_hash, updated_at = now(),
         previous_secret_hash = case when service_clients.secret_hash = excluded.secret_hash then service_clients.previous_secret_hash else service_clients.secret_hash end
       where service_clients.app_slug is not distinct from excluded.app_slug returning id`,
      [randomUUID(), client.clientId, client.secretHash, [...client.permissions], client.appSlug ?? null, client.installation ?? null],
    );
    return put.length > 0;
  }

  /** Those that speak for an installation and are none of these are gone, with their tokens. Answers their ids. */
  async keepInstallations(clientIds: readonly string[]): Promise<string[]> {
    const gone = await this.db.query<{ clientId: string }>(`delete from service_clients where installation is not null and client_id <> all(?::text[]) returning client_id as "clientId"`, [[...clientIds]]);
    return gone.map(({ clientId }) => clientId);
  }
}
