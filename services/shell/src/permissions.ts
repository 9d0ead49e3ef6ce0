/**
 * Permission codes of the Shell itself (section 2.5 of the interface). Apps declare more, under their own names.
 * `RESOURCE_ACTION` in upper case denotes the same permission as `resource:action`.
 */
export const SHELL_PERMISSIONS = [
  'users:list', 'users:read', 'users:write', 'users:delete',
  'roles:list', 'roles:read', 'roles:write', 'roles:delete',
  'permissions:list',
  'organizations:list', 'organizations:read', 'organizations:write',
  'subscriptions:admin',
  'plans:list', 'plans:read', 'plans:write',
  'apps:list', 'apps:read', 'apps:write', 'apps:delete',
  'settings:read',
  'infrastructure:read',
  'payment-events:list', 'payment-events:replay',
  'onboarding:list', 'onboarding:read', 'onboarding:approve', 'onboarding:reject',
] as const;

export type ShellPermission = (typeof SHELL_PERMISSIONS)[number];

/** Permissions of service clients; no role holds them. */
export const SERVICE_PERMISSIONS = ['registry:read', 'registry:write', 'rbac:read', 'quota:consume'] as const;

/** What the operator may do: the registry, and nothing about people. */
export const OPERATOR_PERMISSIONS: readonly (typeof SERVICE_PERMISSIONS)[number][] = ['registry:read', 'registry:write'];

/** What an organization's administrator may do: everything inside the organization, nothing of the platform. */
export const ORGANIZATION_ADMIN_PERMISSIONS: readonly ShellPermission[] = [
  'users:list', 'users:read', 'users:write', 'users:delete',
  'roles:list', 'roles:read', 'roles:write', 'roles:delete',
  'permissions:list', 'organizations:read', 'organizations:write', 'subscriptions:admin', 'plans:list', 'plans:read', 'settings:read',
];

/** Resource names that no app may claim. */
export const SHELL_RESOURCES: ReadonlySet<string> = new Set([...SHELL_PERMISSIONS, ...SERVICE_PERMISSIONS].map((code) => code.split(':')[0] ?? code));
