import type { Database } from '@satellite/kit/db';

export interface ClientRow {
  readonly clientId: string;
  readonly permissions: readonly string[];
  /** Slug of the app it belongs to; null for services of the platform. */
  readonly appSlug: string | null;
  /** Permission codes that the app declares. */
  readonly codes: readonly string[];
  /** Limits that the app declares. */
  readonly limitKeys: readonly string[];
}

/** Service clients as the gateway knows them. */
export class GatewayClientsRepository {
  constructor(private readonly db: Database) {}

  active(): Promise<ClientRow[]> {
    return this.db.query<ClientRow>(
      `select c.client_id as "clientId", c.permissions, c.app_slug as "appSlug",
              coalesce((select array_agg(p.code) from app_permissions p join apps a on a.id = p.app_id where a.slug = c.app_slug), '{}') as codes,
              coalesce((select array_agg(l.key) from app_limit_keys l join apps a on a.id = l.app_id where a.slug = c.app_slug), '{}') as "limitKeys"
       from service_clients c where c.status = 'active'`,
    );
  }
}
