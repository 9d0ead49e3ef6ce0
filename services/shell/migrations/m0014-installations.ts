import { Migration } from '@mikro-orm/migrations';

/** Which service client speaks for which installation. */
export class M0014Installations extends Migration {
  override up(): void {
    this.addSql(`alter table service_clients add column installation varchar(128)`);
  }
}
