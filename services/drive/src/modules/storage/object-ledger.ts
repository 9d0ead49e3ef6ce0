import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import { DeliveryTable, type Delivery } from '@satellite/kit/jobs';
import { UploadExpired } from './storage.errors.js';

/** An object that has to go, with what was counted for it. */
export interface Removal extends Delivery {
  readonly organizationId: string;
  readonly objectKey: string;
  /** `upload`: of one that did not end, so parts of it may be there and something may have been counted; `file`: of one that was deleted. */
  readonly kind: 'upload' | 'file';
  /** Bytes of a file that were counted in the Shell; bigints come as text. */
  readonly countedBytes: string;
  readonly countedUntil: string | null;
}

/** What of a file has to go with it. */
export interface StoredBytes {
  readonly organizationId: string;
  readonly objectKey: string;
  readonly size: number;
  readonly counted: boolean;
  readonly countedUntil?: Date | null;
}

const ADD_UPLOAD = `insert into object_removals (id, organization_id, object_key, kind) select gen_random_uuid(), organization_id, object_key, 'upload' from gone`;

/**
 * Which objects there may be and which have to go, so that no byte is ever forgotten: an object is named here before
 * it is written, counts once its file is committed, and is removed after that commit was refused or its file deleted.
 */
export class ObjectLedger {
  readonly removals: DeliveryTable<Removal>;

  constructor(private readonly db: Database) {
    const columns = 'organization_id as "organizationId", object_key as "objectKey", kind, counted_bytes as "countedBytes", counted_until as "countedUntil"';
    this.removals = new DeliveryTable(db, { table: 'object_removals', columns, orderBy: 'created_at' });
  }

  /** A key for a new object; before its first byte is written. */
  async begin(organizationId: string): Promise<string> {
    const id = randomUUID();
    const key = `${organizationId}/${id.slice(0, 2)}/${id}`;
    await this.db.query('insert into uploads (object_key, organization_id, begun_at) values (?, ?, clock_timestamp())', [key, organizationId]);
    return key;
  }

  /** In the transaction that makes the object count. Throws UploadExpired when it took so long that it was given up. */
  async keep(key: string): Promise<void> {
    const rows = await this.db.query('delete from uploads where object_key = ? returning object_key', [key]);
    if (rows.length === 0) throw new UploadExpired();
  }

  /** The object will not count; whatever there is of it goes. */
  async abandon(key: string): Promise<void> {
    await this.db.run(async () => {
      await this.db.query(`with gone as (delete from uploads where object_key = ? returning object_key, organization_id) ${ADD_UPLOAD}`, [key]);
      this.removals.added();
    });
  }

  /** In the transaction that deletes its file. */
  async discard({ organizationId, objectKey, size, counted, countedUntil }: StoredBytes): Promise<void> {
    await this.db.query(`insert into object_removals (id, organization_id, object_key, kind, counted_bytes, counted_until) values (?, ?, ?, 'file', ?, ?)`, [randomUUID(), organizationId, objectKey, counted ? size : 0, countedUntil ?? null]);
    this.removals.added();
  }

  /** Gives up uploads that were begun so long ago that their process must have died; answers how many. */
  async expire(seconds: number): Promise<number> {
    return this.db.run(async () => {
      const rows = await this.db.query(`with gone as (delete from uploads where begun_at < now() - make_interval(secs => ?) returning object_key, organization_id) ${ADD_UPLOAD} returning id`, [seconds]);
      if (rows.length > 0) this.removals.added();
      return rows.length;
    });
  }

  /** Forgets removals that are done. */
  async forget(): Promise<number> {
    return (await this.db.query(`delete from object_removals where status = 'done' and created_at < now() - interval '1 day' returning id`)).length;
  }

  /** Of these keys, those that nobody knows: neither a file nor an upload under way, and no removal. */
  async unknown(keys: readonly string[]): Promise<string[]> {
    const rows = await this.db.query<{ key: string }>(
      `select k as key from unnest(?::text[]) as k where not exists (select from uploads u where u.object_key = k) and not exists (select from files f where f.object_key = k)
       and not exists (select from object_removals r where r.object_key = k and r.status <> 'done')`,
      [[...keys]],
    );
    return rows.map(({ key }) => key);
  }
}
