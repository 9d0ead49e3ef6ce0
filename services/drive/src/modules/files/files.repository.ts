import { TenantRepository, type Database } from '@satellite/kit/db';
import { File } from './file.entity.js';

/** A file as lists show it. */
export interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly checksum: string;
  readonly folderId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/** Which files of an organization. */
export interface FileFilter {
  /** Null = those outside of folders; undefined = all. */
  readonly folderId: string | null | undefined;
  /** A part of the name, whatever its case. */
  readonly q: string | undefined;
}

type RawRow = { readonly [Field in keyof FileRow]: FileRow[Field] extends Date | number ? string : FileRow[Field] };

const COLUMNS = `id, name, size, content_type as "contentType", checksum, folder_id as "folderId", created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", version`;
const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Files of an organization. */
export class FilesRepository extends TenantRepository<File> {
  constructor(db: Database) {
    super(db, File);
  }

  /**
   * The page is chosen by names alone, which an index has in their order; only its own rows are read whole, so that a
   * late page of a full folder costs little more than the first.
   */
  async list(organizationId: string, filter: FileFilter, limit: number, offset: number): Promise<{ rows: FileRow[]; total: number }> {
    const { sql, params } = chosen(organizationId, filter);
    const [rows, [count]] = await Promise.all([
      this.db.query<RawRow>(`select ${COLUMNS} from files where id = any(array(select id from files where ${sql} order by name, id limit ? offset ?)) order by name, id`, [...params, limit, offset]),
      this.db.query<{ total: string }>(`select count(*) as total from files where ${sql}`, params),
    ]);
    return { rows: rows.map(fileOf), total: Number(count?.total ?? 0) };
  }

  async isNameFree(organizationId: string, folderId: string | null, name: string): Promise<boolean> {
    return (await this.db.query('select from files where organization_id = ? and folder_id is not distinct from ?::uuid and name = ?', [organizationId, folderId, name])).length === 0;
  }

  /** With its links, which fall with it. */
  async remove(file: File): Promise<void> {
    await this.db.query('delete from files where organization_id = ? and id = ?', [file.organizationId, file.id]);
  }

  /** How much an organization stores. */
  async usage(organizationId: string): Promise<{ files: number; bytes: number }> {
    const [row] = await this.db.query<{ files: string; bytes: string }>('select count(*) as files, coalesce(sum(size), 0) as bytes from files where organization_id = ?', [organizationId]);
    return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
  }
}

/** Only the conditions that count, so that each kind of list has its index. */
function chosen(organizationId: string, { folderId, q }: FileFilter): { readonly sql: string; readonly params: unknown[] } {
  const conditions: readonly (readonly [sql: string, ...params: unknown[]])[] = [
    ['organization_id = ?', organizationId],
    ...(folderId === undefined ? [] : folderId === null ? [['folder_id is null'] as const] : [['folder_id = ?', folderId] as const]),
    ...(q === undefined ? [] : [['lower(name) like ?', `%${likeEscaped(q.normalize('NFC').toLowerCase())}%`] as const]),
  ];
  return { sql: conditions.map(([sql]) => sql).join(' and '), params: conditions.flatMap(([, ...params]) => params) };
}

/** Timestamps and bigints come as text. */
function fileOf({ size, createdAt, updatedAt, version, ...row }: RawRow): FileRow {
  return { ...row, size: Number(size), createdAt: new Date(createdAt), updatedAt: new Date(updatedAt), version: Number(version) };
}
