import { SYSTEM_ROLES, type Role } from './role.entity.js';

/** What somebody may give to others. */
export interface Holdings {
  readonly permissions: ReadonlySet<string>;
  /** Names of the system's roles that they hold. */
  readonly systemRoles: readonly string[];
}

/** True for who administers an organization or the platform. */
export function isAdministrator({ systemRoles }: Pick<Holdings, 'systemRoles'>): boolean {
  return systemRoles.includes(SYSTEM_ROLES.owner) || systemRoles.includes(SYSTEM_ROLES.platform);
}

/** The codes that are wanted but not held, each once. */
export function missingFrom({ permissions }: Pick<Holdings, 'permissions'>, wanted: readonly string[]): string[] {
  return [...new Set(wanted)].filter((code) => !permissions.has(code)).sort();
}

/**
 * The names among these of system roles that are out of reach. A system role is more than its permissions: its name is
 * in tokens and opens doors in every app, so only who bears it passes it on. The platform's bearers have all of them.
 */
export function namesOutOfReach({ systemRoles }: Pick<Holdings, 'systemRoles'>, wanted: readonly string[]): string[] {
  if (systemRoles.includes(SYSTEM_ROLES.platform)) return [];
  return wanted.filter((name) => name !== SYSTEM_ROLES.member && !systemRoles.includes(name));
}

/** Names of the system's roles among these. */
export function systemNamesOf(roles: readonly Role[]): string[] {
  return roles.filter((role) => role.isSystem).map((role) => role.name);
}
