import { randomUUID } from 'node:crypto';
import { InvalidEnvironment } from '@satellite/kit/config';
import type { Database } from '@satellite/kit/db';
import type { ShellConfig } from './env.js';
import { snapshot, SYSTEM, type AuditTarget, type AuditTrail, type Snapshot } from './modules/audit/index.js';
import { digest, type PasswordHasher, type ServiceClientsRepository } from './modules/auth/index.js';
import type { PolicyChanges } from './modules/roles/index.js';
import { OPERATOR_PERMISSIONS, ORGANIZATION_ADMIN_PERMISSIONS, SHELL_PERMISSIONS } from './permissions.js';

/** Roles of every installation; they belong to no organization. */
const SYSTEM_ROLES = [
  { name: 'SUPER_ADMIN', description: 'Everything on the platform', permissions: SHELL_PERMISSIONS },
  { name: 'ADMIN', description: 'Everything inside an organization', permissions: ORGANIZATION_ADMIN_PERMISSIONS },
  { name: 'USER', description: 'Own profile and own data', permissions: [] },
] as const;

const SEED_LOCK = 7_316_002;

/** What an installation needs: system roles, the platform's organization, its administrator, the service clients of its configuration. Repeating it changes nothing. */
export class Seed {
  constructor(
    private readonly db: Database,
    private readonly hasher: PasswordHasher,
    private readonly clients: ServiceClientsRepository,
    private readonly policy: PolicyChanges,
    private readonly audit: AuditTrail,
  ) {}

  async run({ admin, operator, installations, appClients }: ShellConfig['seed']): Promise<void> {
    const known = await this.db.query('select from users where lower(email) = lower(?)', [admin.email]);
    const passwordHash = known.length > 0 ? undefined : await this.hasher.hash(admin.password); // hashing takes long: not under the lock
    await this.db.run(async () => {
      await this.db.query('select pg_advisory_xact_lock(?)', [SEED_LOCK]);
      for (const role of SYSTEM_ROLES) await this.role(role);
      const organizationId = await this.platformOrganization();
      if (passwordHash !== undefined) await this.administrator(organizationId, admin.email, passwordHash);
      await this.client(operator.clientId, { secretHash: digest(operator.clientSecret), permissions: OPERATOR_PERMISSIONS });
      for (const clientId of await this.clients.keepInstallations(installations.map(({ clientId: kept }) => kept))) await this.record(null, { type: 'service_client', id: clientId }, snapshot('service_client', { secretsInUse: 0 }));
      for (const { installation, clientId, clientSecret } of installations) await this.client(clientId, { secretHash: digest(clientSecret), permissions: OPERATOR_PERMISSIONS, installation });
      for (const { slug, clientId, clientSecret } of appClients) await this.client(clientId, { secretHash: digest(clientSecret), permissions: [], appSlug: slug });
    });
  }

  /** Permissions of system roles follow the release; those of apps follow the registry. */
  private async role({ name, description, permissions }: (typeof SYSTEM_ROLES)[number]): Promise<void> {
    await this.db.query(
      `insert into roles (id, organization_id, name, description, created_at, updated_at) select ?::uuid, null, ?, ?, now(), now()
       where not exists (select from roles where organization_id is null and name = ?::text)`,
      [randomUUID(), name, description, name],
    );
    const gone = await this.db.query(`delete from role_permissions where role_id = (select id from roles where organization_id is null and name = ?) and permission <> all(?::text[]) and permission not in (select code from app_permissions) returning permission`, [name, [...permissions]]);
    const added = await this.db.query(
      `insert into role_permissions (role_id, permission) select r.id, p from roles r, unnest(?::text[]) p where r.organization_id is null and r.name = ? on conflict do nothing returning permission`,
      [[...permissions], name],
    );
    if (gone.length + added.length === 0) return;
    await this.policy.announceAll(); // processes of the release before keep policies in memory
    await this.record(null, { type: 'role', id: name }, snapshot('role', { name, permissions }));
  }

  /** A client that the deployment declares. Those that administrators have revoked stay revoked. */
  private async client(clientId: string, wish: { secretHash: string; permissions: readonly string[]; appSlug?: string; installation?: string }): Promise<void> {
    const known = await this.clients.findActive(clientId);
    if (!(await this.clients.put({ clientId, ...wish }))) throw new InvalidEnvironment(`The configuration is not usable. The service client "${clientId}" belongs to something else already; give the one for ${wish.appSlug ?? 'the operator'} another id.`);
    if (known?.secretHash === wish.secretHash && known.permissions.join() === wish.permissions.join() && known.installation === (wish.installation ?? null)) return;
    // Beside the secret now the one before, be it from this change or an earlier one.
    const secretsInUse = known !== undefined && (known.secretHash !== wish.secretHash || known.previousSecretHash !== null) ? 2 : 1;
    await this.record(null, { type: 'service_client', id: clientId }, snapshot('service_client', { installation: wish.installation, permissions: wish.permissions, secretsInUse }));
  }

  private record(organizationId: string | null, target: AuditTarget, after: Snapshot): Promise<void> {
    return this.audit.record({ action: 'platform.seed', actor: SYSTEM, organizationId, target, after });
  }

  private async platformOrganization(): Promise<string> {
    await this.db.query(
      `insert into organizations (id, name, slug, type, subscription_plan, created_at, updated_at) values (?, 'Platform', 'platform', 'platform', 'ENTERPRISE', now(), now()) on conflict (slug) do nothing`,
      [randomUUID()],
    );
    const [row] = await this.db.query<{ id: string }>(`select id from organizations where slug = 'platform'`);
    if (row === undefined) throw new Error('the platform organization was not stored');
    return row.id;
  }

  private async administrator(organizationId: string, email: string, passwordHash: string): Promise<void> {
    const [made] = await this.db.query<{ id: string }>(
      `insert into users (id, organization_id, email, username, first_name, last_name, password_hash, created_at, updated_at)
       values (?, ?, ?, 'admin', 'Platform', 'Administrator', ?, now(), now()) on conflict do nothing returning id`,
      [randomUUID(), organizationId, email, passwordHash],
    );
    if (made === undefined) return; // another replica was first, or the user name is taken
    await this.db.query(`insert into user_roles (user_id, role_id, granted_at) select ?::uuid, id, now() from roles where organization_id is null and name = 'SUPER_ADMIN'`, [made.id]);
    await this.record(organizationId, { type: 'user', id: made.id }, snapshot('user', { email, username: 'admin', roles: ['SUPER_ADMIN'] }));
  }
}
