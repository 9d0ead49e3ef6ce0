import { Migration } from '@mikro-orm/migrations';

/** What a write of the registry looks up must not cost more with every app there is: who uses a first name, and what was removed lately. */
export class M0013RegistryIndexes extends Migration {
  override up(): void {
    this.addSql(`create index app_permissions_root_index on app_permissions (split_part(split_part(code, ':', 1), '.', 1))`);
    this.addSql(`create index app_limit_keys_root_index on app_limit_keys (split_part(key, '.', 1))`);
    this.addSql(`create index app_removals_revision_index on app_removals (revision)`);
  }
}
