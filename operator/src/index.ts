import type { Logger, Registry } from '@satellite/kit/telemetry';
import { createOperator } from './manager.js';
import { connectShell, directorySource, type ShellAccess } from './wiring.js';

export interface DirectoryOperatorOptions extends ShellAccess {
  /** Folder of SatelliteApp manifests; created when it is missing. */
  readonly directory: string;
  readonly logger: Logger;
  readonly metrics?: Registry;
  /** Reconciles at the same time; 16 unless given. */
  readonly workers?: number;
  /** Tells the entries of this folder from those of others in the same registry. */
  readonly installation?: string;
  /** Time between two checks of an app that has just begun to fail, or to recover; 10 s unless given. */
  readonly recheckMs?: number;
  /** Time between two searches for entries without a manifest; 10 minutes unless given. */
  readonly sweepMs?: number;
}

export interface DirectoryOperator {
  /** Every manifest has been read. */
  ready(): boolean;
  /** Finishes what is being worked on. */
  stop(): Promise<void>;
}

/** An operator on a folder instead of a cluster, in the calling process. Resolves when it works. */
export async function startDirectoryOperator({ directory, logger, metrics, workers = 16, installation, recheckMs = 10_000, sweepMs = 600_000, ...access }: DirectoryOperatorOptions): Promise<DirectoryOperator> {
  const shell = connectShell(access);
  const operator = createOperator({ config: { platformUrl: access.platformUrl, workers, installation, recheckMs, sweepMs }, source: directorySource(directory, logger), ...shell, logger, metrics });
  await operator.start();
  return {
    ready: () => operator.ready(),
    async stop() {
      await operator.stop();
      shell.close();
    },
  };
}
