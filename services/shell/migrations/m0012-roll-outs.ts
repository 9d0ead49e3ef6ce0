import { Migration } from '@mikro-orm/migrations';

/** Apps that reach organizations by and by: the app itself, and a newer front-end of it. */
export class M0012RollOuts extends Migration {
  override up(): void {
    this.addSql(`
      alter table apps
        add column organization_percent smallint not null default 100 constraint apps_organization_percent_check check (organization_percent between 1 and 100),
        add column ui_canary jsonb,
        add column source_step varchar(64) not null default ''`);
  }
}
