import type { ServiceImpl } from '@connectrpc/connect';
import type { RbacService as RbacContract } from '@satellite/proto/rbac/v1';
import type { GatewayCallers } from './callers.js';
import type { RbacService } from './rbac.service.js';

/** rbac.v1.RbacService over Connect: translates messages, decides nothing. */
export function rbacRpc(rbac: RbacService, callers: GatewayCallers): ServiceImpl<typeof RbacContract> {
  const callerOf = (header: Headers) => callers.callerOf(header.get('authorization') ?? undefined);
  return {
    checkPermission: async (question, { requestHeader }) => rbac.check(await callerOf(requestHeader), question),
    checkPermissions: async ({ checks }, { requestHeader }) => ({ results: await rbac.checkAll(await callerOf(requestHeader), checks) }),
    getUserPermissions: async ({ sub }, { requestHeader }) => {
      const { permissions, roles, ...rest } = await rbac.permissionsOf(await callerOf(requestHeader), sub);
      return { ...rest, permissions: [...permissions], roles: [...roles] };
    },
  };
}
