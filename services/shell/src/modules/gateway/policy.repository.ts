import type { Database } from '@satellite/kit/db';

/** A role as policies need it. */
export interface PolicyRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** Everything that decides what people of an organization may do, of one moment. */
export interface OrganizationRows {
  readonly id: string;
  readonly slug: string;
  readonly active: boolean;
  /** Number of the last change; 0 when nothing was ever announced. */
  readonly version: string;
  /** Of the organization and of the system. */
  readonly roles: readonly PolicyRole[];
  readonly users: readonly { readonly id: string; readonly active: boolean; readonly roleIds: readonly string[] }[];
}

/** One person's policy, of this moment. */
export interface PersonRows {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationActive: boolean;
  readonly active: boolean;
  readonly version: string;
  readonly roles: readonly PolicyRole[];
}

const ROLE = `json_build_object('id', r.id, 'name', r.name, 'permissions', coalesce((select json_agg(p.permission) from role_permissions p where p.role_id = r.id), '[]'))`;

/** Policies in SQL; every read is one statement, so that its parts are of one moment. */
export class PolicyRepository {
  constructor(private readonly db: Database) {}

  /** Organizations whose policy changed after a number, with the number of their last change. */
  async changedAfter(seq: number): Promise<{ organizationId: string; seq: number }[]> {
    const rows = await this.db.query<{ organizationId: string; seq: string }>('select organization_id as "organizationId", seq from policy_versions where seq > ?', [seq]);
    return rows.map((row) => ({ organizationId: row.organizationId, seq: Number(row.seq) }));
  }

  /** Id of a user's organization. */
  async organizationOf(userId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ organizationId: string }>('select organization_id as "organizationId" from users where id = ?', [userId]);
    return row?.organizationId;
  }

  async organization(id: string): Promise<OrganizationRows | undefined> {
    const [row] = await this.db.query<OrganizationRows>(
      `select o.id, o.slug, o.status = 'active' as active, coalesce((select v.seq from policy_versions v where v.organization_id = o.id), 0) as version,
              coalesce((select json_agg(${ROLE}) from roles r where r.organization_id = o.id or r.organization_id is null), '[]') as roles,
              coalesce((select json_agg(json_build_object('id', u.id, 'active', u.status = 'active', 'roleIds', coalesce(g.role_ids, '[]')))
                from users u left join (select ur.user_id, json_agg(ur.role_id) as role_ids from user_roles ur join users m on m.id = ur.user_id where m.organization_id = ? group by ur.user_id) g on g.user_id = u.id
                where u.organization_id = o.id), '[]') as users
       from organizations o where o.id = ?`,
      [id, id],
    );
    return row;
  }

  async person(userId: string): Promise<PersonRows | undefined> {
    const [row] = await this.db.query<PersonRows>(
      `select o.id as "organizationId", o.slug as "organizationSlug", o.status = 'active' as "organizationActive", u.status = 'active' as active,
              coalesce((select v.seq from policy_versions v where v.organization_id = o.id), 0) as version,
              coalesce((select json_agg(${ROLE}) from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id and (r.organization_id = o.id or r.organization_id is null)), '[]') as roles
       from users u join organizations o on o.id = u.organization_id where u.id = ?`,
      [userId],
    );
    return row;
  }
}
