import { TenantRepository, type Database } from '@satellite/kit/db';
import { Folder } from './folder.entity.js';

/** A folder as lists show it. */
export interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/** What is in a folder and below it. */
export interface TreeFacts {
  readonly folders: number;
  readonly files: number;
  readonly bytes: number;
  /** Somebody else than this person made a part of it. */
  readonly hasOthers: boolean;
}

/** Any constant that nobody else uses. */
const TREE_LOCK = 7_317_002;
/** Deeper trees are not made; the bound of every walk. */
export const MAX_DEPTH = 64;

/** The folder and everything below it, by id. */
const TREE = `
  with recursive tree (id, depth) as (
    select id, 1 from folders where organization_id = ? and id = ?
    union all select f.id, t.depth + 1 from folders f join tree t on f.parent_id = t.id where f.organization_id = ? and t.depth <= ${MAX_DEPTH * 2}
  )`;

/** Folders of an organization. */
export class FoldersRepository extends TenantRepository<Folder> {
  constructor(db: Database) {
    super(db, Folder);
  }

  /** Names and files may come and go side by side while nobody moves or deletes folders. Until the running transaction ends. */
  async holdTree(organizationId: string): Promise<void> {
    await this.db.query('select pg_advisory_xact_lock_shared(?, hashtext(?))', [TREE_LOCK, organizationId]);
  }

  /** Whoever changes the shape of the tree is alone with it. Until the running transaction ends. */
  async changeTree(organizationId: string): Promise<void> {
    await this.db.query('select pg_advisory_xact_lock(?, hashtext(?))', [TREE_LOCK, organizationId]);
  }

  async children(organizationId: string, parentId: string | null, limit: number, offset: number): Promise<{ rows: FolderRow[]; total: number }> {
    const [rows, [count]] = await Promise.all([
      this.db.query<Omit<FolderRow, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }>(
        `select id, name, parent_id as "parentId", created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", version
         from folders where organization_id = ? and parent_id is not distinct from ?::uuid order by name, id limit ? offset ?`,
        [organizationId, parentId, limit, offset],
      ),
      this.db.query<{ total: string }>('select count(*) as total from folders where organization_id = ? and parent_id is not distinct from ?::uuid', [organizationId, parentId]),
    ]);
    return { rows: rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) })), total: Number(count?.total ?? 0) };
  }

  /** Levels from the root down to the folder; 0 for the root itself. */
  async depthOf(organizationId: string, id: string | null): Promise<number> {
    if (id === null) return 0;
    const [row] = await this.db.query<{ depth: string }>(
      `with recursive up (id, parent_id) as (
         select id, parent_id from folders where organization_id = ? and id = ?
         union all select f.id, f.parent_id from folders f join up on f.id = up.parent_id where f.organization_id = ?
       ) cycle id set looped using path select count(*) as depth from up`,
      [organizationId, id, organizationId],
    );
    return Number(row?.depth ?? 0);
  }

  /** Levels of the tree below and with the folder. */
  async heightOf(organizationId: string, id: string): Promise<number> {
    const [row] = await this.db.query<{ height: string }>(`${TREE} select coalesce(max(depth), 0) as height from tree`, [organizationId, id, organizationId]);
    return Number(row?.height ?? 0);
  }

  async isBelow(organizationId: string, id: string, folderId: string): Promise<boolean> {
    return (await this.db.query(`${TREE} select from tree where id = ?`, [organizationId, folderId, organizationId, id])).length > 0;
  }

  /** @param userId whose part of it is not somebody else's */
  async factsOf(organizationId: string, id: string, userId: string): Promise<TreeFacts> {
    const [row] = await this.db.query<{ folders: string; files: string; bytes: string; hasOthers: boolean }>(
      `${TREE}, inside as (select f.size, f.created_by from files f join tree t on t.id = f.folder_id where f.organization_id = ?)
       select (select count(*) from tree) as folders, (select count(*) from inside) as files, (select coalesce(sum(size), 0) from inside) as bytes,
         exists (select from inside where created_by <> ?) or exists (select from tree t join folders f on f.id = t.id where f.created_by <> ?) as "hasOthers"`,
      [organizationId, id, organizationId, organizationId, userId, userId],
    );
    return { folders: Number(row?.folders), files: Number(row?.files), bytes: Number(row?.bytes), hasOthers: row?.hasOthers ?? false };
  }

  /** Deletes the tree with its files and links, has their objects removed and tells of it; everything happens in the database, however much it is. */
  async removeTree(organizationId: string, id: string): Promise<void> {
    await this.db.query(
      `${TREE}, gone as (delete from files f using tree t where f.organization_id = ? and f.folder_id = t.id returning f.id, f.object_key, case when f.counted then f.size else 0 end as bytes, f.counted_until),
         told as (insert into outbox (id, organization_id, type, payload) select gen_random_uuid(), ?, 'drive.file_deleted', json_build_object('fileId', id) from gone)
       insert into object_removals (id, organization_id, object_key, kind, counted_bytes, counted_until) select gen_random_uuid(), ?, object_key, 'file', bytes, counted_until from gone`,
      [organizationId, id, organizationId, organizationId, organizationId, organizationId],
    );
    await this.db.query(`${TREE} delete from folders f using tree t where f.organization_id = ? and f.id = t.id`, [organizationId, id, organizationId, organizationId]);
  }
}
