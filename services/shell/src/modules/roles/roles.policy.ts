import { SHELL_PERMISSIONS } from '../../permissions.js';
import { SYSTEM_ROLES, type Role } from './role.entity.js';

/** What somebody may give to others. */
export interface Holdings {
  readonly permissions: ReadonlySet<string>;
  /** Names of the system's roles that they hold. */
  readonly systemRoles: readonly string[];
}

const OF_SHELL: ReadonlySet<string> = new Set(SHELL_PERMISSIONS);

/**
 * The codes that are wanted but not held, each once. Administrators act for the whole organization: what apps declare
 * is theirs to give although no system role lists it, also while an app is out of the registry and its codes remain.
 */
export function missingFrom({ permissions, systemRoles }: Holdings, wanted: readonly string[]): string[] {
  const administrator = systemRoles.includes(SYSTEM_ROLES.owner) || systemRoles.includes(SYSTEM_ROLES.platform);
  return [...new Set(wanted)].filter((code) => !permissions.has(code) && !(administrator && !OF_SHELL.has(code))).sort();
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
