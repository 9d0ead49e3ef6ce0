import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createServiceTokenClient } from '@satellite/kit/auth';
import { OutboundDoor } from '@satellite/kit/outbound';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import { connectRegistry } from './controllers/satellite-app/registry-client.js';
import { SATELLITE_APP, SATELLITE_APP_SPEC_SCHEMA, slugOf, type SatelliteApp } from './controllers/satellite-app/satellite-app.js';
import type { OperatorEnvironment } from './env.js';
import { createOperator, type Operator } from './manager.js';
import { LeaderElector } from './runtime/leader-election.js';
import type { Timers } from './runtime/timers.js';
import { DirectorySource } from './sources/directory.js';
import type { ResourceStore } from './sources/resource-store.js';

export const FIELD_MANAGER = 'satelliteapp-operator';

export interface ShellAccess {
  /** Origin of the Shell. */
  readonly shellUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public URL of the platform: paths in manifests are resolved against it. Its host is always allowed. */
  readonly platformUrl: string;
  /** Hosts that may have private addresses: `host`, `host:port`, `*.suffix`. */
  readonly outboundAllow: readonly string[];
}

/** The registry and the outbound door of a configuration. */
export function connectShell({ shellUrl, clientId, clientSecret, platformUrl, outboundAllow }: ShellAccess) {
  const tokens = createServiceTokenClient({ tokenUrl: `${shellUrl.replace(/\/$/, '')}/api/auth/service-token`, clientId, clientSecret });
  const door = new OutboundDoor({ allow: [...outboundAllow, hostWithPort(platformUrl)] });
  return { ...connectRegistry({ shellUrl, tokens }), door };
}

export function directorySource(directory: string, logger: Logger, timers?: Timers): DirectorySource<SatelliteApp> {
  return new DirectorySource<SatelliteApp>({ directory, kind: { apiVersion: SATELLITE_APP.apiVersion, kind: SATELLITE_APP.kind }, specSchema: SATELLITE_APP_SPEC_SCHEMA, indexBy: slugOf, logger, timers });
}

/** The operator that an environment describes, ready to be started, and what has to be closed after it. */
export async function assembleOperator(env: OperatorEnvironment, logger: Logger, metrics: Registry): Promise<{ readonly operator: Operator; close(): Promise<void> }> {
  const identity = `${env.podName ?? hostname()}_${randomBytes(4).toString('hex')}`;
  const shell = connectShell(env);
  const { source, elector, close } = await openSource(env, identity, logger);
  const operator = createOperator({ config: { ...env, ...(env.source.kind === 'kubernetes' && { namespace: env.source.namespace }) }, source, ...shell, logger, metrics, elector });
  return {
    operator,
    async close() {
      shell.close();
      await close();
    },
  };
}

interface OpenSource {
  readonly source: ResourceStore<SatelliteApp>;
  readonly elector?: LeaderElector;
  close(): Promise<void>;
}

async function openSource(env: OperatorEnvironment, identity: string, logger: Logger): Promise<OpenSource> {
  if (env.source.kind === 'directory') return { source: directorySource(env.source.directory, logger), close: () => Promise.resolve() };
  // Loaded only here: the Kubernetes client is large, and an operator on a folder has no use for it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const { ApiClient } = await import('./runtime/api-client.js');
  const { KubernetesSource, leaseClient } = await import('./sources/kubernetes.js');
  const config = new KubeConfig();
  if (env.source.kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(env.source.kubeconfig);
  const client = new ApiClient(config);
  const { namespace, labelSelector, silenceLimitMs } = env.source;
  const source = new KubernetesSource<SatelliteApp>({ client, resource: SATELLITE_APP, namespace, labelSelector, silenceLimitMs, fieldManager: FIELD_MANAGER, instance: identity, indexBy: slugOf, logger });
  const elector = env.lease && new LeaderElector({ client: leaseClient(client, env.lease.namespace, env.lease.name), identity, logger });
  return { source, elector, close: () => client.close() };
}

function hostWithPort(url: string): string {
  const { hostname: host, port, protocol } = new URL(url);
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
