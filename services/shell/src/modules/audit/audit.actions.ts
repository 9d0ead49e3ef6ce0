/** Who wants to know what something is: the kinds of things that entries are about. */
export type TargetType = 'user' | 'role' | 'organization' | 'session' | 'plan' | 'app' | 'service_client' | 'subscription' | 'payment_method' | 'payment_event' | 'onboarding_request' | 'audit_chain';

/** What an entry is about. */
export interface AuditTarget {
  readonly type: TargetType;
  readonly id: string;
}

/** What somebody did or was refused to do: `noun.verb`, never renamed, since people filter and alert by it. */
export type AuditAction =
  | (typeof OPERATIONS)[keyof typeof OPERATIONS]['action']
  | (typeof RPCS)[keyof typeof RPCS]['action']
  // not by a request of their own
  | 'organizations.create'
  | 'auth.provider_account'
  | 'auth.token_reuse'
  | 'subscriptions.sync'
  | 'subscriptions.settle'
  | 'subscriptions.renew'
  | 'platform.seed'
  | 'audit.anchor'
  | 'audit.prune';

/** An operation as entries name it. */
export interface AuditedOperation {
  readonly action: string;
  readonly target?: TargetType;
  /** Parameter of the path that holds the target's id; `id` unless given. */
  readonly parameter?: string;
}

/** REST operations whose refusals are recorded: everything that changes something, and everything that needs a permission. */
export const OPERATIONS = {
  'POST /auth/register': { action: 'auth.register' },
  'POST /auth/local-login': { action: 'auth.sign_in' },
  'GET /auth/callback': { action: 'auth.provider_sign_in' },
  'POST /auth/service-token': { action: 'auth.service_token' },
  'POST /auth/exchange': { action: 'auth.exchange' },
  'POST /auth/exchange-idp': { action: 'auth.exchange_idp' },
  'POST /auth/exchange-for-service': { action: 'auth.exchange_idp' },
  'POST /auth/request-password-reset': { action: 'auth.request_password_reset' },
  'POST /auth/confirm-password-reset': { action: 'auth.confirm_password_reset' },
  'POST /auth/change-password': { action: 'auth.change_password' },
  'PUT /auth/me/preferences': { action: 'auth.set_preferences' },
  'GET /auth/logout': { action: 'auth.sign_out' },
  'POST /auth/logout': { action: 'auth.sign_out' },
  'DELETE /auth/sessions/{id}': { action: 'auth.end_session', target: 'session' },
  'GET /users': { action: 'users.list' },
  'POST /users': { action: 'users.create' },
  'GET /users/{id}': { action: 'users.read', target: 'user' },
  'PUT /users/{id}': { action: 'users.update', target: 'user' },
  'DELETE /users/{id}': { action: 'users.delete', target: 'user' },
  'GET /users/{id}/roles': { action: 'users.read_roles', target: 'user' },
  'POST /users/{id}/roles': { action: 'users.assign_roles', target: 'user' },
  'DELETE /users/{id}/roles/{roleId}': { action: 'users.unassign_role', target: 'user' },
  'GET /roles': { action: 'roles.list' },
  'POST /roles': { action: 'roles.create' },
  'GET /roles/{id}': { action: 'roles.read', target: 'role' },
  'PUT /roles/{id}': { action: 'roles.update', target: 'role' },
  'DELETE /roles/{id}': { action: 'roles.delete', target: 'role' },
  'GET /roles/{id}/permissions': { action: 'roles.read_permissions', target: 'role' },
  'POST /roles/{id}/permissions': { action: 'roles.set_permissions', target: 'role' },
  'GET /permissions': { action: 'permissions.list' },
  'GET /organizations': { action: 'organizations.list' },
  'GET /organizations/{id}': { action: 'organizations.read', target: 'organization' },
  'PUT /organizations/{id}': { action: 'organizations.update', target: 'organization' },
  'PUT /organizations/{id}/subscription': { action: 'organizations.set_plan', target: 'organization' },
  'POST /plans': { action: 'plans.create' },
  'PUT /plans/{id}': { action: 'plans.update', target: 'plan' },
  'GET /plans/{id}/limits': { action: 'plans.read_limits', target: 'plan' },
  'PUT /plans/{id}/limits': { action: 'plans.set_limits', target: 'plan' },
  'POST /plans/{id}/sync-stripe': { action: 'plans.sync', target: 'plan' },
  'POST /subscriptions/webhook': { action: 'subscriptions.webhook' },
  'POST /subscriptions/upgrade': { action: 'subscriptions.upgrade' },
  'POST /subscriptions/upgrade-direct': { action: 'subscriptions.upgrade_direct' },
  'GET /subscriptions/portal': { action: 'subscriptions.portal' },
  'POST /subscriptions/payment-methods/setup': { action: 'payment_methods.setup' },
  'GET /subscriptions/payment-methods': { action: 'payment_methods.list' },
  'DELETE /subscriptions/payment-methods/{paymentMethodId}': { action: 'payment_methods.delete', target: 'payment_method', parameter: 'paymentMethodId' },
  'PUT /subscriptions/payment-methods/{paymentMethodId}/default': { action: 'payment_methods.set_default', target: 'payment_method', parameter: 'paymentMethodId' },
  'GET /admin/apps': { action: 'apps.list' },
  'POST /admin/apps': { action: 'apps.create' },
  'POST /admin/apps/register-remote': { action: 'apps.register_remote' },
  'GET /admin/apps/{id}': { action: 'apps.read', target: 'app' },
  'PUT /admin/apps/{id}': { action: 'apps.update', target: 'app' },
  'DELETE /admin/apps/{id}': { action: 'apps.delete', target: 'app' },
  'GET /admin/apps/{id}/organizations': { action: 'apps.read_organizations', target: 'app' },
  'PUT /admin/apps/{id}/organizations/{organizationId}': { action: 'apps.set_enablement', target: 'app' },
  'GET /admin/apps/{id}/clients': { action: 'service_clients.list', target: 'app' },
  'POST /admin/apps/{id}/clients': { action: 'service_clients.create', target: 'app' },
  'POST /admin/apps/{id}/clients/{clientId}/rotate': { action: 'service_clients.rotate', target: 'service_client', parameter: 'clientId' },
  'DELETE /admin/apps/{id}/clients/{clientId}/previous-secret': { action: 'service_clients.end_previous_secret', target: 'service_client', parameter: 'clientId' },
  'DELETE /admin/apps/{id}/clients/{clientId}': { action: 'service_clients.revoke', target: 'service_client', parameter: 'clientId' },
  'GET /admin/payment-events': { action: 'payments.list_events' },
  'POST /admin/payment-events/{id}/replay': { action: 'payments.replay', target: 'payment_event' },
  'GET /config': { action: 'settings.read' },
  'POST /onboarding': { action: 'onboarding.submit' },
  'GET /onboarding': { action: 'onboarding.list' },
  'GET /onboarding/{id}': { action: 'onboarding.read', target: 'onboarding_request' },
  'PUT /onboarding/{id}/approve': { action: 'onboarding.approve', target: 'onboarding_request' },
  'PUT /onboarding/{id}/reject': { action: 'onboarding.reject', target: 'onboarding_request' },
  'GET /admin/audit': { action: 'audit.list' },
  'GET /admin/stats': { action: 'stats.read' },
} as const satisfies Readonly<Record<string, AuditedOperation>>;

/** RPCs of the same kind: `<package>.<Service>/<Method>`. Decisions about permissions are left out: they are asked thousands of times a second. */
export const RPCS = {
  'registry.v1.AppRegistry/ApplyApp': { action: 'apps.apply' },
  'registry.v1.AppRegistry/ApplyApps': { action: 'apps.apply' },
  'registry.v1.AppRegistry/RollOutApp': { action: 'apps.apply' },
  'registry.v1.AppRegistry/RemoveApp': { action: 'apps.remove' },
  'registry.v1.AppRegistry/PlanApp': { action: 'apps.plan' },
  'registry.v1.AppRegistry/ListApps': { action: 'apps.list_applied' },
  'registry.v1.AppRegistry/ReportApp': { action: 'apps.report' },
  'registry.v1.AppRegistry/ReportApps': { action: 'apps.report' },
  'registry.v1.AppRegistry/GetApiBaseline': { action: 'apps.read_api_baseline' },
  'auth.v1.AuthGateway/ExchangeForService': { action: 'auth.exchange_for_service' },
} as const satisfies Readonly<Record<string, AuditedOperation>>;
