import type { ServiceImpl } from '@connectrpc/connect';
import type { RbacService as RbacContract } from '@satellite/proto/rbac/v1';
import type { AuthorizationService, Quota } from './authorization.service.js';
import type { GatewayCallers } from './callers.js';
import type { RbacService } from './rbac.service.js';

/** rbac.v1.RbacService over Connect: translates messages, decides nothing. */
export function rbacRpc(rbac: RbacService, authorizations: AuthorizationService, callers: GatewayCallers): ServiceImpl<typeof RbacContract> {
  const callerOf = (header: Headers) => callers.callerOf(header.get('authorization') ?? undefined);
  return {
    checkPermission: async (question, { requestHeader }) => rbac.check(await callerOf(requestHeader), question),
    checkPermissions: async ({ checks }, { requestHeader }) => ({ results: await rbac.checkAll(await callerOf(requestHeader), checks) }),
    getUserPermissions: async ({ sub }, { requestHeader }) => {
      const { permissions, roles, ...rest } = await rbac.permissionsOf(await callerOf(requestHeader), sub);
      return { ...rest, permissions: [...permissions], roles: [...roles] };
    },
    authorize: async (question, { requestHeader }) => {
      const { quota, ...answer } = await authorizations.authorize(await callerOf(requestHeader), question);
      return { ...answer, ...(quota && { quota: quotaMessage(quota) }) };
    },
    cancelAuthorization: async (request, { requestHeader }) => ({ canceled: await authorizations.cancel(await callerOf(requestHeader), request) }),
    releaseQuota: async (request, { requestHeader }) => {
      const { quota, replayed } = await authorizations.release(await callerOf(requestHeader), request);
      return { quota: quotaMessage(quota), replayed };
    },
  };
}

function quotaMessage({ limitKey, limit, used, resetsAt }: Quota): { limitKey: string; limit: number; used: number; remaining: number; resetsAt: string } {
  return { limitKey, limit, used, remaining: limit === -1 ? -1 : Math.max(0, limit - used), resetsAt: resetsAt?.toISOString() ?? '' };
}
