import type { Database } from '@satellite/kit/db';

/** JSON values only. */
export type Row = { readonly [field: string]: string | number | boolean | null };

export interface FieldFacts {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'timestamp' | 'uuid';
  readonly description: string;
}

/** Rows of one kind. */
export interface ResourceFacts {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FieldFacts[];
  /** Rows after the one with this key, in the order of their keys, each with its own. */
  read(organizationId: string, after: string, limit: number): Promise<{ readonly key: string; readonly row: Row }[]>;
}

const field = (name: string, type: FieldFacts['type'], description: string): FieldFacts => ({ name, type, description });

/** What Drive gives to reports. */
export class ResourcesRepository {
  constructor(private readonly db: Database) {}

  all(): readonly ResourceFacts[] {
    return [this.files(), this.storage()];
  }

  private files(): ResourceFacts {
    return {
      name: 'files',
      description: 'Every file of the organization, without its bytes',
      fields: [
        field('id', 'uuid', ''), field('name', 'string', ''), field('folder', 'string', 'Name of the folder; null outside of folders'), field('size', 'number', 'Bytes'), field('contentType', 'string', 'By the bytes'),
        field('createdBy', 'string', 'E-mail address of who uploaded it'), field('createdAt', 'timestamp', ''), field('updatedAt', 'timestamp', ''), field('activeLinks', 'number', 'Share links that work'),
      ],
      read: async (organizationId, after, limit) => {
        const rows = await this.db.query<Row & { id: string; size: string; activeLinks: string; createdAt: string; updatedAt: string }>(
          `select f.id, f.name, d.name as folder, f.size, f.content_type as "contentType", u.email as "createdBy", f.created_at as "createdAt", f.updated_at as "updatedAt",
             (select count(*) from share_links l where l.organization_id = f.organization_id and l.file_id = f.id and l.revoked_at is null and l.expires_at > now()) as "activeLinks"
           from files f join users u on u.id = f.created_by left join folders d on d.id = f.folder_id
           where f.organization_id = ? and (?::text = '' or f.id > ?::uuid) order by f.id limit ?`,
          [organizationId, after, after === '' ? null : after, limit],
        );
        return rows.map((row) => ({ key: row.id, row: { ...row, size: Number(row.size), activeLinks: Number(row.activeLinks), createdAt: new Date(row.createdAt).toISOString(), updatedAt: new Date(row.updatedAt).toISOString() } }));
      },
    };
  }

  private storage(): ResourceFacts {
    return {
      name: 'storage',
      description: 'How much the organization stores, by content type',
      fields: [field('contentType', 'string', 'By the bytes'), field('files', 'number', ''), field('bytes', 'number', '')],
      read: async (organizationId, after, limit) => {
        const rows = await this.db.query<{ contentType: string; files: string; bytes: string }>(
          `select content_type as "contentType", count(*) as files, sum(size) as bytes from files where organization_id = ? and content_type > ? group by content_type order by content_type limit ?`,
          [organizationId, after, limit],
        );
        return rows.map(({ contentType, files, bytes }) => ({ key: contentType, row: { contentType, files: Number(files), bytes: Number(bytes) } }));
      },
    };
  }
}
