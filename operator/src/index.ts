import { createServiceTokenClient } from '@satellite/kit/auth';
import { OutboundDoor } from '@satellite/kit/outbound';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import { connectRegistry } from './controllers/satellite-app/registry-client.js';
import { SATELLITE_APP, SATELLITE_APP_SPEC_SCHEMA, slugOf, type SatelliteApp } from './controllers/satellite-app/satellite-app.js';
import { createOperator } from './manager.js';
import { DirectorySource } from './sources/directory.js';

export { createOperator, type Operator, type OperatorConfig, type OperatorParts } from './manager.js';
export { connectRegistry, type RegistryClient } from './controllers/satellite-app/registry-client.js';

export interface DirectoryOperatorOptions {
  /** Folder of SatelliteApp manifests; created when it is missing. */
  readonly directory: string;
  /** Origin of the Shell, for example http://127.0.0.1:8080. */
  readonly shellUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public URL of the platform: paths in manifests are resolved against it. Its host is always allowed. */
  readonly platformUrl: string;
  /** Hosts that may have private addresses: `host`, `host:port`, `*.suffix`. */
  readonly outboundAllow: readonly string[];
  readonly logger: Logger;
  readonly metrics?: Registry;
  readonly workers?: number;
}

/** An operator on a folder instead of a cluster; runs in the calling process. Resolves when it works. */
export async function startDirectoryOperator(options: DirectoryOperatorOptions): Promise<{ ready(): boolean; stop(): Promise<void> }> {
  const { directory, shellUrl, clientId, clientSecret, platformUrl, outboundAllow, logger, metrics, workers = 16 } = options;
  const tokens = createServiceTokenClient({ tokenUrl: `${shellUrl.replace(/\/$/, '')}/api/auth/service-token`, clientId, clientSecret });
  const connection = connectRegistry({ shellUrl, tokens });
  const source = new DirectorySource<SatelliteApp>({ directory, kind: { apiVersion: SATELLITE_APP.apiVersion, kind: SATELLITE_APP.kind }, specSchema: SATELLITE_APP_SPEC_SCHEMA, indexBy: slugOf, logger });
  const door = new OutboundDoor({ allow: [...outboundAllow, hostWithPort(platformUrl)] });
  const operator = createOperator({ config: { platformUrl, workers }, source, registry: connection.registry, door, logger, metrics });
  await operator.start();
  return {
    ready: () => operator.ready(),
    async stop() {
      await operator.stop();
      connection.close();
    },
  };
}

function hostWithPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
