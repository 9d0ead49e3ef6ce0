import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthGateway } from '@satellite/proto/auth/v1';
import { noteActor } from '../audit/index.js';
import type { Caller, GatewayCallers } from './callers.js';
import type { ServiceExchange } from './service-exchange.js';

/** auth.v1.AuthGateway over Connect: translates messages, decides nothing. */
export function authGatewayRpc(exchanges: ServiceExchange, callers: GatewayCallers): ServiceImpl<typeof AuthGateway> {
  return {
    async exchangeForService({ token, serviceId }, { requestHeader }) {
      const caller = await callers.callerOf(requestHeader.get('authorization') ?? undefined);
      noteCaller(caller);
      const request = { serviceId, ...(token.case === 'idpToken' && { idpToken: token.value }), ...(token.case === 'subjectToken' && { subjectToken: token.value }) };
      // the connection is the calling service's; sessions list who that is
      const client = { userAgent: requestHeader.get('user-agent') ?? '', address: '' };
      const { accessToken, tokenType, expiresIn, service } = await exchanges.exchange(request, caller, client);
      return { accessToken, tokenType, expiresIn, service };
    },
  };
}

function noteCaller(caller: Caller): void {
  if (caller.kind === 'service') noteActor({ kind: 'service', id: caller.client.clientId });
  else noteActor({ kind: 'user', id: caller.userId, organizationId: caller.organizationId });
}
