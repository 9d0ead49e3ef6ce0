import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import type { ServiceTokenClient } from '@satellite/kit/auth';
import { AppRegistry } from '@satellite/proto/registry/v1';

/** The Shell's app registry as the operator uses it. */
export type RegistryClient = Client<typeof AppRegistry>;

export interface RegistryConnection {
  readonly registry: RegistryClient;
  close(): void;
}

const CALL_LIMIT_MS = 10_000;
const SOCKETS = 32;

/** @param options.shellUrl origin of the Shell; the registry is below its `/api` */
export function connectRegistry({ shellUrl, tokens }: { readonly shellUrl: string; readonly tokens: ServiceTokenClient }): RegistryConnection {
  const agent = new (shellUrl.startsWith('https:') ? SecureAgent : Agent)({ keepAlive: true, maxSockets: SOCKETS });
  const transport = createConnectTransport({
    baseUrl: `${shellUrl.replace(/\/$/, '')}/api`,
    httpVersion: '1.1',
    nodeOptions: { agent },
    defaultTimeoutMs: CALL_LIMIT_MS,
    interceptors: [authorized(tokens)],
  });
  return { registry: createClient(AppRegistry, transport), close: () => agent.destroy() };
}

/** Adds the service token; a token that the Shell no longer takes (its keys may have changed) is replaced once. */
function authorized(tokens: ServiceTokenClient): Interceptor {
  return (next) => async (request) => {
    const call = async () => {
      request.header.set('authorization', `Bearer ${await tokens.token()}`);
      return next(request);
    };
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== Code.Unauthenticated || request.stream) throw error;
      tokens.forget();
      return call();
    }
  };
}
