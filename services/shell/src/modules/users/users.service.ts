import { randomUUID } from 'node:crypto';
import { parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { kept } from '@satellite/kit/db';
import { requireMatch } from '@satellite/kit/http';
import { snapshot, type AuditTarget, type Snapshot } from '../audit/index.js';
import type { UserActor } from '../auth/index.js';
import type { AccessChanges, GrantsRepository, GrantsService } from '../roles/index.js';
import type { Newcomers } from './newcomers.js';
import { User, USER_STATUSES, type UserStatus } from './user.entity.js';
import { parsePerson, type PersonFields } from './user.rules.js';
import { Outranked, takenBy, UserNotFound } from './users.errors.js';
import type { UsersRepository } from './users.repository.js';

const LIST_RULES: ListRules = {
  fields: { email: 'string', username: 'string', firstName: 'string', lastName: 'string', status: { oneOf: USER_STATUSES }, createdAt: 'timestamp' },
  sort: ['email', 'username', 'firstName', 'lastName', 'status', 'createdAt'],
  defaultSort: 'email',
};

/** A person with the ids of their roles. */
export interface UserWithRoles {
  readonly user: User;
  readonly roleIds: readonly string[];
}

export interface NewUser extends PersonFields {
  /** Without one the person is invited to set it. */
  readonly password?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

export interface UserChanges extends Partial<PersonFields> {
  readonly status?: UserStatus | undefined;
}

export interface UsersServiceDeps {
  readonly users: UsersRepository;
  readonly grants: GrantsRepository;
  /** The fine rules of granting. */
  readonly granting: GrantsService;
  readonly access: AccessChanges;
  readonly newcomers: Newcomers;
}

/** People of the actor's organization. */
export class UsersService {
  constructor(private readonly deps: UsersServiceDeps) {}

  async list(actor: UserActor, parameters: ListParameters): Promise<Page<UserWithRoles>> {
    const page = await this.deps.users.page(actor.organizationId, parseListQuery(parameters, LIST_RULES));
    const roleIds = await this.deps.grants.roleIdsOf(page.items.map(({ id }) => id));
    return page.map((user) => ({ user, roleIds: roleIds.get(user.id) ?? [] }));
  }

  async get(actor: UserActor, id: string): Promise<UserWithRoles> {
    const user = await this.deps.users.find(actor.organizationId, id);
    if (user === undefined) throw new UserNotFound();
    return this.withRoles(user);
  }

  /** Throws InvalidFields, RoleNotFound, NotGrantable, QuotaExceeded, EmailInUse or UsernameInUse. */
  async create(actor: UserActor, { password, roleIds = [], ...given }: NewUser): Promise<UserWithRoles> {
    const { users, grants, granting, access, newcomers } = this.deps;
    const person = parsePerson(given);
    await granting.grantable(actor, roleIds);
    const passwordHash = password === undefined ? null : await newcomers.hash(password); // takes long: not in the transaction
    const user = Object.assign(new User(), person, { id: randomUUID(), organizationId: actor.organizationId, passwordHash });
    return this.writing(() =>
      access.run(actor.organizationId, async () => {
        const roles = await granting.grantable(actor, roleIds); // a role may have gained something meanwhile
        await newcomers.assertRoom(actor.organizationId);
        await users.add(user);
        await grants.add(user.id, roles.map((role) => role.id));
        if (passwordHash === null) await newcomers.invite(user.id, user.email);
        const created = await this.withRoles(user);
        await access.record({ action: 'users.create', organizationId: actor.organizationId, target: targetOf(user), after: recordable(created) });
        return kept(created);
      }),
    );
  }

  /** Changes what is given. Throws UserNotFound, StaleRecord, InvalidFields, Outranked, LastOwner, EmailInUse or UsernameInUse. */
  async update(actor: UserActor, id: string, { status, ...changes }: UserChanges, ifMatch?: string): Promise<UserWithRoles> {
    await this.get(actor, id); // a 404 needs no lock
    return this.writing(() =>
      this.deps.access.run(actor.organizationId, async () => {
        const user = await this.locked(actor, id, ifMatch);
        const before = snapshot('user', user);
        const { email, username, firstName, lastName } = user;
        const person = parsePerson({ email: changes.email ?? email, username: changes.username ?? username, firstName: changes.firstName ?? firstName, lastName: changes.lastName ?? lastName });
        if (person.email !== email) await this.beforeEmailChange(actor, user);
        if (status !== undefined && status !== user.status) await this.beforeStatusChange(user, status);
        Object.assign(user, person, status && { status });
        await this.deps.users.flush();
        await this.deps.access.record({ action: 'users.update', organizationId: actor.organizationId, target: targetOf(user), before, after: snapshot('user', user) });
        return this.withRoles(user);
      }),
    );
  }

  /** Throws UserNotFound, StaleRecord or LastOwner. */
  async remove(actor: UserActor, id: string, ifMatch?: string): Promise<void> {
    await this.get(actor, id);
    await this.deps.access.run(actor.organizationId, async () => {
      const user = await this.locked(actor, id, ifMatch);
      await this.deps.granting.assertNotLastOwner(user.organizationId, user.id);
      await this.deps.access.record({ action: 'users.delete', organizationId: actor.organizationId, target: targetOf(user), before: recordable(await this.withRoles(user)) });
      await this.deps.access.endUser(user.id, 'deleted');
      await this.deps.users.remove(user);
    });
  }

  private async beforeEmailChange(actor: UserActor, user: User): Promise<void> {
    if (actor.userId !== user.id && !(await this.deps.granting.covers(actor, user.id))) throw new Outranked();
    await this.deps.users.voidPasswordLinks(user.id);
  }

  private async beforeStatusChange(user: User, status: UserStatus): Promise<void> {
    if (status === 'active') return this.deps.access.endLeftovers(user.id);
    await this.deps.granting.assertNotLastOwner(user.organizationId, user.id);
    await this.deps.access.endUser(user.id, 'suspended');
  }

  private async locked(actor: UserActor, id: string, ifMatch: string | undefined): Promise<User> {
    const user = await this.deps.users.lock(actor.organizationId, id);
    if (user === undefined) throw new UserNotFound();
    requireMatch(ifMatch, user.version);
    return user;
  }

  private async withRoles(user: User): Promise<UserWithRoles> {
    return { user, roleIds: (await this.deps.grants.roleIdsOf([user.id])).get(user.id) ?? [] };
  }

  /** The unique index, not a look-up before it, is what keeps names apart; here its word becomes ours. */
  private async writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw takenBy(error);
    }
  }
}

function targetOf({ id }: User): AuditTarget {
  return { type: 'user', id };
}

function recordable({ user, roleIds }: UserWithRoles): Snapshot {
  return snapshot('user', user, { roles: roleIds });
}
