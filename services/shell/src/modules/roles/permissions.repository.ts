import type { Database } from '@satellite/kit/db';
import { SHELL_PERMISSIONS, type ShellPermission } from '../../permissions.js';

/** A permission code that roles can hold. */
export interface KnownPermission {
  readonly code: string;
  readonly description: string;
  /** Slug of the app that declares it; null for the Shell's own. */
  readonly app: string | null;
}

const DESCRIPTIONS: Record<ShellPermission, string> = {
  'users:list': 'List the people of the organization',
  'users:read': 'See a person and their roles',
  'users:write': 'Add and change people and give them roles',
  'users:delete': 'Remove people',
  'roles:list': 'List roles',
  'roles:read': 'See a role and its permissions',
  'roles:write': 'Add and change roles and their permissions',
  'roles:delete': 'Remove roles',
  'permissions:list': 'List permission codes',
  'organizations:list': 'List all organizations and act on any of them',
  'organizations:read': 'See the organization and its people',
  'organizations:write': 'Change the organization',
  'subscriptions:admin': 'Decide on plan and payment',
  'plans:list': 'List plans',
  'plans:read': 'See a plan',
  'plans:write': 'Add and change plans',
  'apps:list': 'List the app registry',
  'apps:read': 'See an entry of the app registry',
  'apps:write': 'Register and change apps',
  'apps:delete': 'Remove apps',
  'settings:read': 'See settings, statistics and the audit trail',
  'infrastructure:read': 'See what the platform runs on',
  'payment-events:list': 'List what the payment processor has told',
  'payment-events:replay': 'Let payment events take effect again',
  'onboarding:list': 'List onboarding requests',
  'onboarding:read': 'See an onboarding request',
  'onboarding:approve': 'Approve onboarding requests',
  'onboarding:reject': 'Reject onboarding requests',
};

/** Every permission code there is: the Shell's and those of all registered apps. */
export class PermissionsRepository {
  constructor(private readonly db: Database) {}

  async all(): Promise<KnownPermission[]> {
    const ofShell = SHELL_PERMISSIONS.map((code) => ({ code, description: DESCRIPTIONS[code], app: null }));
    const ofApps = await this.db.query<KnownPermission>('select p.code, p.description, a.slug as app from app_permissions p join apps a on a.id = p.app_id order by a.slug, p.code');
    return [...ofShell, ...ofApps];
  }
}
