import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { ServiceTokenRefused, type ServiceTokenClient } from '@satellite/kit/auth';
import { AppRegistry, type ApplyAppRequestSchema, type ApplyAppResponse, type ReportAppRequestSchema, type ReportAppResponse } from '@satellite/proto/registry/v1';
import { CircuitBreaker } from '../../runtime/circuit-breaker.js';
import { Batches } from './registry-batches.js';

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
/** As a single report has: statuses wait for it. */
const REPORTS_LIMIT_MS = 5000;
/** Bytes of a baseline that go in a call of their own. */
const LARGE_BASELINE = 16_384;

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
  return { registry: batched(guarded(direct, breaker)), breaker, close };
}

/** What every reconcile calls goes together with what others call. */
function batched(direct: RegistryClient): RegistryClient {
  const applies = new Batches<MessageInitShape<typeof ApplyAppRequestSchema>, ApplyAppResponse>({
    one: (request, options) => direct.applyApp(request, options),
    many: async (calls) => (await direct.applyApps({ calls: [...calls] })).answers.map(({ applied }) => applied),
  });
  const reports = new Batches<MessageInitShape<typeof ReportAppRequestSchema>, ReportAppResponse>({
    one: (request, options) => direct.reportApp(request, options),
    many: async (calls) => (await direct.reportApps({ calls: [...calls] }, { timeoutMs: REPORTS_LIMIT_MS })).answers.map(({ reported }) => reported),
    goesAlone: ({ api }) => (api?.content?.length ?? 0) > LARGE_BASELINE,
  });
  return { ...direct, applyApp: (request, options) => applies.call(request, options), reportApp: (request, options) => reports.call(request, options) };
}

/** Nobody answered in time, or the server failed by itself. Everything else is an answer to this one call. */
const OUTAGES: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.Internal, Code.Unknown];

export function isOutage(error: unknown): boolean {
  return OUTAGES.includes(ConnectError.from(error).code);
}

/** Reports carry what an app says of itself and have little time: that one fails is no reason to stop everybody. */
const UNCOUNTED: readonly string[] = ['reportApp', 'reportApps'];

/** The same client, with every call behind the breaker. */
function guarded(client: RegistryClient, breaker: CircuitBreaker): RegistryClient {
  const calls = Object.entries(client) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(calls.map(([name, call]) => [name, (...args: unknown[]) => (UNCOUNTED.includes(name) ? breaker.callUncounted(() => call(...args)) : breaker.call(() => call(...args)))])) as unknown as RegistryClient;
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
