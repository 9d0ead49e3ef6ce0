import { Migration } from '@mikro-orm/migrations';
import { REPEATABLE_WRITES_TABLE } from '@satellite/kit/db';

/** Answers to writes with an Idempotency-Key, beside those of quota calls. */
export class M0010RepeatableWrites extends Migration {
  override up(): void {
    this.addSql(REPEATABLE_WRITES_TABLE);
  }
}
