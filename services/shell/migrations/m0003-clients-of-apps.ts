import { Migration } from '@mikro-orm/migrations';

/**
 * Service clients of apps, and a feed of their changes. A client belongs to a slug, not to a registry row: an app that
 * is taken out and applied again keeps its credentials, and while it is out they open nothing.
 */
export class M0003ClientsOfApps extends Migration {
  override up(): void {
    this.addSql(`alter table service_clients add column app_slug varchar(40), add column rotated_at timestamptz(3)`);
    this.addSql(`create index service_clients_app_slug_index on service_clients (app_slug) where app_slug is not null`);
    this.addSql(`alter table feeds drop constraint feeds_name_check, add constraint feeds_name_check check (name in ('policy', 'revocations', 'clients'))`);
    this.addSql(`insert into feeds (name, seq) values ('clients', 0)`);
    // a client that is disabled by hand must be out within a second as well, so the table itself counts its changes
    this.addSql(`
      create function announce_service_client_change() returns trigger language plpgsql as $function$
      begin
        update feeds set seq = seq + 1 where name = 'clients';
        return null;
      end $function$`);
    this.addSql(`create trigger service_clients_changed after insert or update or delete on service_clients for each statement execute function announce_service_client_change()`);
  }
}
