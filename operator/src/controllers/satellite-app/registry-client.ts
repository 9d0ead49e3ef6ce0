import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { ServiceTokenRefused, type ServiceTokenClient } from '@satellite/kit/auth';
import { AppRegistry } from '@satellite/proto/registry/v1';
import { CircuitBreaker } from '../../runtime/circuit-breaker.js';

/** The Shell's app registry as the operator uses it. */
export type RegistryClient = Client<typeof AppRegistry>;

export interface RegistryConnection {
  readonly registry: RegistryClient;
  /** Stands before every call; opens when the Shell does not answer. */
  readonly breaker: CircuitBreaker;
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
  const direct = createClient(AppRegistry, transport);
  const breaker = new CircuitBreaker({ probe: () => direct.listApps({ pageSize: 1 }), isOutage });
  const close = (): void => {
    breaker.stop();
    agent.destroy();
  };
  return { registry: guarded(direct, breaker), breaker, close };
}

/** Codes that a Shell answers which has understood the call and could have served another one. */
const ANSWERS: readonly Code[] = [
  Code.InvalidArgument, Code.NotFound, Code.AlreadyExists, Code.PermissionDenied, Code.FailedPrecondition, Code.Aborted, Code.OutOfRange, Code.Unimplemented, Code.Unauthenticated,
];

/** Nobody answered in time, or with an error of the server itself. That we gave up a call ourselves says nothing. */
function isOutage(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code !== Code.Canceled && !ANSWERS.includes(code);
}

/** The same client, with every call behind the breaker. */
function guarded(client: RegistryClient, breaker: CircuitBreaker): RegistryClient {
  const calls = Object.entries(client) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(calls.map(([name, call]) => [name, (...args: unknown[]) => breaker.call(() => call(...args))])) as unknown as RegistryClient;
}

/** Adds the service token; a token that the Shell no longer takes (its keys may have changed) is replaced once. */
function authorized(tokens: ServiceTokenClient): Interceptor {
  return (next) => async (request) => {
    const call = async () => {
      request.header.set('authorization', `Bearer ${await tokens.token().catch(asRefusal)}`);
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

/** Wrong credentials are the operator's own trouble, not one of the Shell. */
function asRefusal(error: unknown): never {
  throw error instanceof ServiceTokenRefused ? new ConnectError(error.message, Code.PermissionDenied, undefined, undefined, error) : error;
}
