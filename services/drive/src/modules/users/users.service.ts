import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { InvalidFields, lineOfText, parseListQuery, problemsOf, type ListRules, type Page } from '@satellite/kit/core';
import { brokenUnique, type Database } from '@satellite/kit/db';
import { roleOf, ROLES, type Role, type RoleId } from '../../permissions.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../audit/index.js';
import { DriveUser, USER_STATUSES, type UserStatus } from './user.entity.js';
import { EmailInUse, LastAdministrator, RoleNotFound, UserNotFound, UserSuspended } from './users.errors.js';
import type { ShellPerson, UsersRepository } from './users.repository.js';

const LIST_RULES: ListRules = { fields: { email: 'string', status: { oneOf: USER_STATUSES } }, sort: ['email', 'createdAt'], defaultSort: 'email' };

/** Roles of the Shell whose first bearer in an organization administers its Drive. */
const SHELL_ADMINS = ['ADMIN', 'SUPER_ADMIN'];

const NewUser = z.object({ email: z.email('must be an e-mail address').max(254), name: lineOfText(200).optional(), roleId: z.string().optional() });

/** A person with their roles. */
export interface UserWithRoles {
  readonly user: DriveUser;
  readonly roles: readonly Role[];
}

export interface UsersServiceDeps {
  readonly db: Database;
  readonly users: UsersRepository;
  readonly audit: AuditLog;
  /** Of newcomers. */
  readonly defaultRole: RoleId;
}

/** Who may use the Drive of an organization, and as what. */
export class UsersService {
  constructor(private readonly deps: UsersServiceDeps) {}

  /** Lets a person of the Shell in; the first time they become a user. Throws UserSuspended. */
  async admit(person: ShellPerson, shellRoles: readonly string[]): Promise<void> {
    const { db, users, audit, defaultRole } = this.deps;
    const { organizationId } = person;
    await db.run(async () => {
      await users.lockPeople(organizationId);
      const { id, isNew } = await users.claim(person);
      const standing = await users.standingOf(organizationId, person.shellUserId);
      if (standing?.status === 'suspended') throw new UserSuspended();
      const takesOver = shellRoles.some((role) => SHELL_ADMINS.includes(role)) && !(await users.hasOtherAdmin(organizationId, id));
      if (takesOver) await users.grant(organizationId, id, 'admin');
      else if (isNew) await users.grant(organizationId, id, defaultRole);
      if (isNew) await audit.record({ organizationId, id, email: person.email }, { action: 'users.joined', subject: { id, name: person.email }, details: { role: takesOver ? 'admin' : defaultRole } });
    });
  }

  async list(actor: Actor, parameters: { page?: number | undefined; limit?: number | undefined }): Promise<Page<UserWithRoles>> {
    const page = await this.deps.users.page(actor.organizationId, parseListQuery(parameters, LIST_RULES));
    const roles = await this.deps.users.rolesOf(page.items.map(({ id }) => id));
    return page.map((user) => ({ user, roles: rolesOf(roles.get(user.id)) }));
  }

  async get(actor: Actor, id: string): Promise<UserWithRoles> {
    const user = await this.deps.users.find(actor.organizationId, id);
    if (user === undefined) throw new UserNotFound();
    return this.withRoles(user);
  }

  /** Throws InvalidFields or EmailInUse. */
  async invite(actor: Actor, given: { email: string; name?: string | undefined; roleId?: string | undefined }): Promise<UserWithRoles> {
    const { users } = this.deps;
    const { email, name, role } = parseNewUser(given, this.deps.defaultRole);
    const user = Object.assign(new DriveUser(), { id: randomUUID(), organizationId: actor.organizationId, email, name });
    try {
      return await this.changing(actor, async () => {
        if (await users.findByEmail(actor.organizationId, email)) throw new EmailInUse();
        await users.add(user);
        await users.grant(actor.organizationId, user.id, role);
        await this.note(actor, 'users.invited', user, { role });
        return this.withRoles(user);
      });
    } catch (error) {
      throw brokenUnique(error) === 'users_invitation_key' ? new EmailInUse() : error;
    }
  }

  /** Throws UserNotFound or LastAdministrator. */
  setStatus(actor: Actor, id: string, status: UserStatus): Promise<UserWithRoles> {
    return this.changing(actor, async () => {
      const user = await this.locked(actor, id);
      if (user.status === status) return this.withRoles(user);
      if (status === 'suspended') await this.assertNotLast(user);
      user.status = status;
      await this.deps.users.flush();
      await this.note(actor, status === 'suspended' ? 'users.suspended' : 'users.activated', user);
      return this.withRoles(user);
    });
  }

  /** Throws UserNotFound or RoleNotFound. */
  grant(actor: Actor, id: string, roleId: string): Promise<UserWithRoles> {
    return this.changing(actor, async () => {
      const user = await this.locked(actor, id);
      const role = knownRole(roleId);
      await this.deps.users.grant(actor.organizationId, user.id, role.id);
      await this.note(actor, 'users.role_granted', user, { role: role.id });
      return this.withRoles(user);
    });
  }

  /** Throws UserNotFound, RoleNotFound (also when the person does not have it) or LastAdministrator. */
  withdraw(actor: Actor, id: string, roleId: string): Promise<void> {
    return this.changing(actor, async () => {
      const user = await this.locked(actor, id);
      const role = knownRole(roleId);
      if (role.id === 'admin') await this.assertNotLast(user);
      if (!(await this.deps.users.withdraw(actor.organizationId, user.id, role.id))) throw new RoleNotFound(ROLES.map((known) => known.id));
      await this.note(actor, 'users.role_withdrawn', user, { role: role.id });
    });
  }

  private changing<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    return this.deps.db.run(async () => {
      await this.deps.users.lockPeople(actor.organizationId);
      return work();
    });
  }

  private async locked(actor: Actor, id: string): Promise<DriveUser> {
    const user = await this.deps.users.lock(actor.organizationId, id);
    if (user === undefined) throw new UserNotFound();
    return user;
  }

  private async assertNotLast(user: DriveUser): Promise<void> {
    const roles = (await this.deps.users.rolesOf([user.id])).get(user.id) ?? [];
    if (user.status === 'active' && roles.includes('admin') && !(await this.deps.users.hasOtherAdmin(user.organizationId, user.id))) throw new LastAdministrator();
  }

  private note(actor: Actor, action: string, user: DriveUser, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    return this.deps.audit.record(actor, { action, subject: { id: user.id, name: user.email }, details });
  }

  private async withRoles(user: DriveUser): Promise<UserWithRoles> {
    return { user, roles: rolesOf((await this.deps.users.rolesOf([user.id])).get(user.id)) };
  }
}

const rolesOf = (ids: readonly string[] = []): Role[] => ids.flatMap((id) => roleOf(id) ?? []);

function knownRole(id: string): Role {
  const role = roleOf(id);
  if (role === undefined) throw new RoleNotFound(ROLES.map((known) => known.id));
  return role;
}

function parseNewUser(given: { email: string; name?: string | undefined; roleId?: string | undefined }, defaultRole: RoleId): { email: string; name: string | null; role: RoleId } {
  const parsed = NewUser.safeParse(given);
  const role = roleOf(given.roleId ?? defaultRole);
  const problems = [...(parsed.success ? [] : problemsOf(parsed.error)), ...(role ? [] : [{ field: 'roleId', message: `must be one of ${ROLES.map(({ id }) => id).join(', ')}` }])];
  if (!parsed.success || role === undefined) throw new InvalidFields(problems);
  return { email: parsed.data.email, name: parsed.data.name ?? null, role: role.id };
}
