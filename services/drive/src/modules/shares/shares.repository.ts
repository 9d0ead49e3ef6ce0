import type { Database } from '@satellite/kit/db';

/** A link that works. */
export interface LinkRow {
  readonly id: string;
  readonly tokenHash: string;
  readonly createdBy: string;
  readonly expiresAt: Date;
}

/** Where a token leads, and through whom. */
export interface LinkTarget {
  readonly linkId: string;
  readonly organizationId: string;
  readonly fileId: string;
  readonly expiresAt: Date;
  /** Who made the link. */
  readonly owner: { readonly shellUserId: string | null; readonly status: string; readonly roleIds: readonly string[] };
}

const ACTIVE = 'revoked_at is null and expires_at > now()';

/** Share links of an organization. Time is the database's, so that all processes agree on when a link ends. */
export class SharesRepository {
  constructor(private readonly db: Database) {}

  async add(link: { readonly id: string; readonly organizationId: string; readonly fileId: string; readonly tokenHash: string; readonly createdBy: string; readonly days: number }): Promise<Date> {
    const [row] = await this.db.query<{ expiresAt: string }>(
      `insert into share_links (id, organization_id, file_id, token_hash, created_by, created_at, expires_at) values (?, ?, ?, ?, ?, now(), now() + make_interval(days => ?)) returning expires_at as "expiresAt"`,
      [link.id, link.organizationId, link.fileId, link.tokenHash, link.createdBy, link.days],
    );
    return new Date(row?.expiresAt ?? 0);
  }

  /** The newest first. */
  async active(organizationId: string, fileId: string): Promise<LinkRow[]> {
    const rows = await this.db.query<Omit<LinkRow, 'expiresAt'> & { expiresAt: string }>(
      `select id, token_hash as "tokenHash", created_by as "createdBy", expires_at as "expiresAt" from share_links where organization_id = ? and file_id = ? and ${ACTIVE} order by created_at desc, id`,
      [organizationId, fileId],
    );
    return rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }));
  }

  /** False when there is no such active link. */
  async revoke(organizationId: string, fileId: string, id: string): Promise<boolean> {
    return (await this.db.query(`update share_links set revoked_at = now() where organization_id = ? and file_id = ? and id = ? and ${ACTIVE} returning id`, [organizationId, fileId, id])).length > 0;
  }

  async target(tokenHash: string): Promise<LinkTarget | undefined> {
    const [row] = await this.db.query<Omit<LinkTarget, 'expiresAt' | 'owner'> & LinkTarget['owner'] & { expiresAt: string }>(
      `select l.id as "linkId", l.organization_id as "organizationId", l.file_id as "fileId", l.expires_at as "expiresAt", u.shell_user_id as "shellUserId", u.status,
         array(select role_id from user_roles r where r.user_id = u.id) as "roleIds"
       from share_links l join users u on u.organization_id = l.organization_id and u.id = l.created_by where l.token_hash = ? and ${ACTIVE}`,
      [tokenHash],
    );
    if (row === undefined) return undefined;
    const { shellUserId, status, roleIds, expiresAt, ...link } = row;
    return { ...link, expiresAt: new Date(expiresAt), owner: { shellUserId, status, roleIds } };
  }

  /** Removes links that ended long ago; answers how many. */
  async sweep(): Promise<number> {
    return (await this.db.query(`delete from share_links where least(expires_at, coalesce(revoked_at, expires_at)) < now() - interval '30 days' returning id`)).length;
  }
}
