import type { OrganizationRows, PersonRows, PolicyRole } from './policy.repository.js';

/** A role, ready to be asked; people of an organization share it. */
export interface CompiledRole {
  readonly name: string;
  readonly permissions: ReadonlySet<string>;
}

/** A person as policies see them. */
export interface Subject {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationActive: boolean;
  readonly active: boolean;
  readonly roles: readonly CompiledRole[];
  /** Number of the last change of the organization that this knows of. */
  readonly policyVersion: number;
}

/** The policy of one organization, compiled for look-ups. */
export interface OrganizationIndex {
  readonly version: number;
  readonly subjects: ReadonlyMap<string, Subject>;
}

const compiled = ({ name, permissions }: PolicyRole): CompiledRole => ({ name, permissions: new Set(permissions) });

/** Roles that are neither the organization's nor the system's give nothing, whoever assigned them. */
export function compileOrganization({ id, slug, active, version, roles, users }: OrganizationRows): OrganizationIndex {
  const byId = new Map(roles.map((role) => [role.id, compiled(role)]));
  const organization = { organizationId: id, organizationSlug: slug, organizationActive: active, policyVersion: Number(version) };
  const subjectOf = (user: OrganizationRows['users'][number]): Subject => ({
    ...organization,
    active: user.active,
    roles: user.roleIds.flatMap((roleId) => byId.get(roleId) ?? []),
  });
  return { version: Number(version), subjects: new Map(users.map((user) => [user.id, subjectOf(user)])) };
}

export function compilePerson({ roles, version, ...person }: PersonRows): Subject {
  return { ...person, policyVersion: Number(version), roles: roles.map(compiled) };
}

/** True when one of the person's roles has the permission. */
export function holds(subject: Subject, permission: string): boolean {
  for (const role of subject.roles) if (role.permissions.has(permission)) return true;
  return false;
}

/** Every permission of the person, sorted. */
export function permissionsOf(subject: Subject): string[] {
  return [...new Set(subject.roles.flatMap((role) => [...role.permissions]))].sort();
}
