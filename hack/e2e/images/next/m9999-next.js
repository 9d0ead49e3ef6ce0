import { Migration } from '@mikro-orm/migrations';

/** Something that a next version would bring: compatible with the version that still runs. */
export class M9999Next extends Migration {
  up() {
    this.addSql('alter table files add column next_note text');
  }

  down() {
    this.addSql('alter table files drop column next_note');
  }
}
